package io.kueue4j.core.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * A rollback restores every cell and collection, a commit forgets what they were, and copies are
 * independent.
 */
class VersionedProperties {
  /** One of each kind, in one journal. */
  static final class Values {
    final Journal journal = new Journal();
    final Cell<Integer> cell;
    final VersionedSet<Integer> set;
    final VersionedMap<Key, String> map;
    final VersionedMultimap<Integer, Integer> multimap;

    Values() {
      cell = new Cell<>(journal, 0);
      set = VersionedSet.inNaturalOrder(journal);
      map = new VersionedMap<>(journal);
      multimap = new VersionedMultimap<>(journal);
    }

    Values copy() {
      journal.share();
      Values copy = new Values();
      copy.cell.share(cell);
      copy.set.share(set);
      copy.map.share(map);
      copy.multimap.share(multimap);
      return copy;
    }

    String content() {
      Map<Integer, String> entries = new TreeMap<>();
      map.forEach((key, value) -> entries.put(key.number, value));
      return cell.get() + " " + set.toList() + " " + entries + " " + multimap.get(0) + " "
          + multimap.get(1);
    }
  }

  /** A key whose hash others share. */
  record Key(int number) {
    @Override
    public int hashCode() {
      return number % 97 * 0x2100_0001;
    }
  }

  @Provide
  Arbitrary<List<Consumer<Values>>> changes() {
    return Choices.arbitrary(choices -> choices.list(choices.nextInt(12), each -> change(each)));
  }

  private static Consumer<Values> change(Choices choices) {
    int value = choices.nextInt(4);
    // More than a chunk of a set, and several levels of a map.
    int many = choices.nextInt(3000);
    int step = 1 + choices.nextInt(3);
    return switch (choices.nextInt(12)) {
      case 0 -> values -> values.cell.set(value);
      case 1 -> values -> values.set.add(value);
      case 2 -> values -> values.set.remove(value);
      case 3 -> values -> values.map.set(new Key(value), "v" + value);
      case 4 -> values -> values.map.set(new Key(value), null);
      case 5 -> values -> values.map.clear();
      case 6 -> values -> upTo(many, step, values.set::add);
      case 7 -> values -> upTo(many, step, values.set::remove);
      case 8 -> values -> upTo(many, step, each -> values.map.set(new Key(each), "m" + each));
      case 9 -> values -> values.multimap.set(many % 2, value, true);
      case 10 -> values -> values.multimap.set(many % 2, value, false);
      default -> values -> upTo(many, step, each -> values.map.set(new Key(each), null));
    };
  }

  private static void upTo(int end, int step, Consumer<Integer> action) {
    for (int i = 0; i < end; i += step) {
      action.accept(i);
    }
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

  @Property(tries = 300)
  void aCopyAndItsOriginalDoNotSeeEachOther(
      @ForAll("changes") List<Consumer<Values>> before,
      @ForAll("changes") List<Consumer<Values>> ofOriginal,
      @ForAll("changes") List<Consumer<Values>> ofCopy) {
    Values original = new Values();
    before.forEach(change -> change.accept(original));
    Values copy = original.copy();
    Values secondCopy = copy.copy();
    String content = original.content();

    ofOriginal.forEach(change -> change.accept(original));
    assertThat(copy.content()).isEqualTo(content);
    String changed = original.content();
    ofCopy.forEach(change -> change.accept(copy));

    assertThat(original.content()).isEqualTo(changed);
    assertThat(secondCopy.content()).isEqualTo(content);
    Values plain = new Values();
    before.forEach(change -> change.accept(plain));
    ofCopy.forEach(change -> change.accept(plain));
    assertThat(copy.content()).isEqualTo(plain.content());
  }

  @Property(tries = 300)
  void aSetIsAsATreeSet(@ForAll("numbers") List<Integer> numbers) {
    VersionedSet<Integer> set = VersionedSet.inNaturalOrder(new Journal());
    TreeSet<Integer> expected = new TreeSet<>();
    for (int number : numbers) {
      boolean isNew = expected.add(number);
      assertThat(set.add(number)).isEqualTo(isNew);
      if (!isNew) {
        assertThat(set.remove(number)).isEqualTo(expected.remove(number));
      }
      assertThat(set.find(number)).isEqualTo(expected.contains(number) ? number : null);
    }
    for (int number : numbers.subList(0, Math.min(20, numbers.size()))) {
      assertThat(ImmutableList.copyOf(set.from(number)))
          .containsExactlyElementsOf(expected.tailSet(number));
    }
    assertThat(set.toList()).containsExactlyElementsOf(expected);
    assertThat(set.size()).isEqualTo(expected.size());
  }

  @Provide
  Arbitrary<List<Integer>> numbers() {
    return Choices.arbitrary(choices -> {
      int range = 1 + choices.nextInt(2000);
      boolean ascending = choices.nextBoolean();
      List<Integer> numbers = new ArrayList<>();
      for (int i = choices.nextInt(3000); i > 0; i--) {
        numbers.add(ascending && i % 2 == 0 ? numbers.size() : choices.nextInt(range));
      }
      return numbers;
    });
  }

  @Test
  void aSharedPartCannotBeChanged() {
    Journal journal = new Journal();
    class Part extends io.kueue4j.core.internal.versioned.Part {
      Part() {
        super(journal);
      }

      void change() {
        changing().add(() -> {});
      }
    }

    Part part = new Part();
    part.change();
    assertThat(part.isShared()).isFalse();
    journal.share();

    assertThat(part.isShared()).isTrue();
    assertThatThrownBy(part::change).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatWasSharedIsTakenBackAsWell() {
    Values values = new Values();

    values.journal.begin();
    values.cell.set(7);
    int before = values.cell.get();
    Values copy = values.copy();
    values.set.add(7);
    values.journal.rollback();

    assertThat(values.cell.get()).isNotEqualTo(before);
    assertThat(values.set.isEmpty()).isTrue();
    assertThat(copy.cell.get()).isEqualTo(before);
  }
}
