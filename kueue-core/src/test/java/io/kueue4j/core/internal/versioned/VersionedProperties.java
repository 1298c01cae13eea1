package io.kueue4j.core.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A rollback restores every cell and collection, and a commit forgets what they were. */
class VersionedProperties {
  /** One of each kind, in one journal. */
  static final class Values {
    final Journal journal = new Journal();
    final Cell<Integer> cell = new Cell<>(journal, 0);
    final VersionedSet<Integer> set = new VersionedSet<>(journal, ImmutableList.of(1));
    final VersionedMap<Integer, String> map = new VersionedMap<>(journal);
    final VersionedList<Integer> list = new VersionedList<>(journal, ImmutableList.of(1));

    String content() {
      return cell.get() + " " + set.all() + " " + new TreeMap<>(map.all()) + " " + list.all();
    }
  }

  @Provide
  Arbitrary<List<Consumer<Values>>> changes() {
    return Choices.arbitrary(choices -> choices.list(choices.nextInt(12), each -> change(each)));
  }

  private static Consumer<Values> change(Choices choices) {
    int value = choices.nextInt(4);
    return switch (choices.nextInt(8)) {
      case 0 -> values -> values.cell.set(value);
      case 1 -> values -> values.set.add(value);
      case 2 -> values -> values.set.remove(value);
      case 3 -> values -> values.map.set(value, "v" + value);
      case 4 -> values -> values.map.set(value, null);
      case 5 -> values -> values.map.clear();
      case 6 -> values -> values.list.add(value);
      default -> values -> values.list.set(ImmutableList.of(value, value));
    };
  }

  @Property(tries = 500)
  void aRollbackRestoresEverything(
      @ForAll("changes") List<Consumer<Values>> kept,
      @ForAll("changes") List<Consumer<Values>> undone) {
    Values values = new Values();
    values.journal.begin();
    kept.forEach(change -> change.accept(values));
    values.journal.commit();
    String before = values.content();

    values.journal.begin();
    undone.forEach(change -> change.accept(values));
    values.journal.rollback();

    assertThat(values.content()).isEqualTo(before);
  }

  @Property(tries = 200)
  void aCommitKeepsWhatAPlainCollectionWould(@ForAll("changes") List<Consumer<Values>> changes) {
    Values recorded = new Values();
    Values plain = new Values();

    recorded.journal.begin();
    changes.forEach(change -> change.accept(recorded));
    recorded.journal.commit();
    recorded.journal.rollback();
    changes.forEach(change -> change.accept(plain));

    assertThat(recorded.content()).isEqualTo(plain.content());
  }

  @Test
  void laterStepsAreTakenBackFirst() {
    Journal journal = new Journal();
    List<String> steps = new ArrayList<>();

    journal.begin();
    journal.add(() -> steps.add("first"));
    journal.add(() -> steps.add("second"));
    journal.rollback();

    assertThat(steps).containsExactly("second", "first");
  }

  @Test
  void whatIsKeptIsNotTakenBack() {
    Values values = new Values();

    values.journal.begin();
    values.journal.keep(() -> values.cell.set(7));
    values.set.add(7);
    values.journal.rollback();

    assertThat(values.cell.get()).isEqualTo(7);
    assertThat(values.set.all()).containsExactly(1);
  }
}
