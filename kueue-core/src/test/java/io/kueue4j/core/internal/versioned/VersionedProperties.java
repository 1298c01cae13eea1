package io.kueue4j.core.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A rollback restores every cell and collection, a commit forgets what they were, and copies are
 * independent.
 */
class VersionedProperties {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** What changes are applied to: one collection of each kind. */
  interface Target {
    void setCell(int value);

    void set(int element, boolean present);

    void put(int key, @Nullable String value);

    void clear();

    void setPair(int key, int value, boolean present);

    void setTimer(int owner, @Nullable Instant time);

    /** {@return everything that the collections say of themselves} */
    String content();
  }

  /** Versioned collections, in one journal. */
  static final class Values implements Target {
    final Journal journal = new Journal();
    final Cell<Integer> cell;
    final VersionedSet<Integer> set;
    final VersionedMap<Key, String> map;
    final VersionedMultimap<Integer, Integer> multimap;
    final Timers<Integer> timers;

    Values() {
      cell = new Cell<>(journal, 0);
      set = VersionedSet.inNaturalOrder(journal);
      map = new VersionedMap<>(journal);
      multimap = new VersionedMultimap<>(journal);
      timers = new Timers<>(journal);
    }

    Values copy() {
      journal.share();
      Values copy = new Values();
      copy.cell.share(cell);
      copy.set.share(set);
      copy.map.share(map);
      copy.multimap.share(multimap);
      copy.timers.share(timers);
      return copy;
    }

    @Override
    public void setCell(int value) {
      cell.set(value);
    }

    @Override
    public void set(int element, boolean present) {
      set.set(element, present);
    }

    @Override
    public void put(int key, @Nullable String value) {
      map.set(new Key(key), value);
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public void setPair(int key, int value, boolean present) {
      multimap.set(key, value, present);
    }

    @Override
    public void setTimer(int owner, @Nullable Instant time) {
      timers.set(owner, time);
    }

    @Override
    public String content() {
      Map<Integer, String> entries = new TreeMap<>();
      map.forEach((key, value) -> entries.put(key.number, value));
      return "%s %s %s %s %s %s %s %s %s %s"
          .formatted(
              cell.get(),
              set.size(),
              set.toList(),
              map.size(),
              entries,
              multimap.get(0),
              multimap.get(1),
              timers.next(),
              timers.due(START),
              timers.due(Instant.MAX));
    }
  }

  /** The same with collections of the JDK and Guava. */
  static final class PlainValues implements Target {
    private int cell;
    private final TreeSet<Integer> set = new TreeSet<>();
    private final Map<Integer, String> map = new TreeMap<>();
    private final SetMultimap<Integer, Integer> multimap = LinkedHashMultimap.create();
    private final Map<Integer, Instant> timers = new TreeMap<>();

    @Override
    public void setCell(int value) {
      cell = value;
    }

    @Override
    public void set(int element, boolean present) {
      boolean unused = present ? set.add(element) : set.remove(element);
    }

    @Override
    public void put(int key, @Nullable String value) {
      if (value == null) {
        map.remove(key);
      } else {
        map.put(key, value);
      }
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public void setPair(int key, int value, boolean present) {
      boolean unused = present ? multimap.put(key, value) : multimap.remove(key, value);
    }

    @Override
    public void setTimer(int owner, @Nullable Instant time) {
      if (time == null) {
        timers.remove(owner);
      } else {
        timers.put(owner, time);
      }
    }

    @Override
    public String content() {
      return "%s %s %s %s %s %s %s %s %s %s"
          .formatted(
              cell,
              set.size(),
              set,
              map.size(),
              map,
              multimap.get(0),
              multimap.get(1),
              timers.values().stream().min(Comparator.naturalOrder()),
              due(START),
              due(Instant.MAX));
    }

    private List<Integer> due(Instant now) {
      return timers.entrySet().stream()
          .filter(timer -> !timer.getValue().isAfter(now))
          .sorted(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .toList();
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
  Arbitrary<List<Consumer<Target>>> changes() {
    return Choices.arbitrary(choices -> choices.list(choices.nextInt(12), each -> change(each)));
  }

  private static Consumer<Target> change(Choices choices) {
    int value = choices.nextInt(4);
    // More than a chunk of a set, and several levels of a map.
    int many = choices.nextInt(3000);
    int step = 1 + choices.nextInt(3);
    Instant time = START.plusSeconds(choices.nextInt(3) - 1);
    return switch (choices.nextInt(14)) {
      case 0 -> values -> values.setCell(value);
      case 1 -> values -> values.set(value, true);
      case 2 -> values -> values.set(value, false);
      case 3 -> values -> values.put(value, "v" + value);
      case 4 -> values -> values.put(value, null);
      case 5 -> Target::clear;
      case 6 -> values -> upTo(many, step, each -> values.set(each, true));
      case 7 -> values -> upTo(many, step, each -> values.set(each, false));
      case 8 -> values -> upTo(many, step, each -> values.put(each, "m" + each));
      case 9 -> values -> values.setPair(many % 2, value, true);
      case 10 -> values -> values.setPair(many % 2, value, false);
      case 11 -> values -> values.setTimer(value, time);
      case 12 -> values -> values.setTimer(value, null);
      default -> values -> upTo(many, step, each -> values.put(each, null));
    };
  }

  private static void upTo(int end, int step, Consumer<Integer> action) {
    for (int i = 0; i < end; i += step) {
      action.accept(i);
    }
  }

  @Property(tries = 500)
  void aRollbackRestoresEverything(
      @ForAll("changes") List<Consumer<Target>> kept,
      @ForAll("changes") List<Consumer<Target>> undone) {
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
  void aCommitKeepsWhatAPlainCollectionWould(@ForAll("changes") List<Consumer<Target>> changes) {
    Values recorded = new Values();
    Target plain = new PlainValues();

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
      @ForAll("changes") List<Consumer<Target>> before,
      @ForAll("changes") List<Consumer<Target>> ofOriginal,
      @ForAll("changes") List<Consumer<Target>> ofCopy) {
    Values original = new Values();
    before.forEach(change -> change.accept(original));
    Values copy = original.copy();
    Values secondCopy = copy.copy();
    String content = original.content();

    ofOriginal.forEach(change -> change.accept(original));
    assertThat(copy.content()).isEqualTo(content);
    String changed = original.content();
    ofOriginal.forEach(change -> change.accept(secondCopy));
    assertThat(copy.content()).isEqualTo(content);
    ofCopy.forEach(change -> change.accept(copy));

    assertThat(original.content()).isEqualTo(changed);
    assertThat(secondCopy.content()).isEqualTo(changed);
    Target plain = new PlainValues();
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
      assertThat(set.contains(number)).isEqualTo(expected.contains(number));
    }
    for (int number : numbers.subList(0, Math.min(20, numbers.size()))) {
      assertThat(ImmutableList.copyOf(set.from(number)))
          .containsExactlyElementsOf(expected.tailSet(number));
    }
    assertThat(set.toList()).containsExactlyElementsOf(expected);
    assertThat(set.size()).isEqualTo(expected.size());
  }

  @Test
  void aSetHasAndRemovesOnlyWhatIsEqual() {
    VersionedSet<String> set =
        new VersionedSet<>(new Journal(), Comparator.comparing(String::length));
    set.add("a");

    assertThat(set.contains("a")).isTrue();
    assertThat(set.contains("b")).isFalse();
    assertThat(set.remove("b")).isFalse();
    assertThat(set.toList()).containsExactly("a");
  }

  @Test
  void aCopyOfAnEmptiedSetIsIndependent() {
    VersionedSet<Integer> set = VersionedSet.inNaturalOrder(new Journal());
    set.add(1);
    set.remove(1);
    VersionedSet<Integer> copy = set.copy(new Journal());
    set.add(2);
    copy.add(3);

    assertThat(set.toList()).containsExactly(2);
    assertThat(copy.toList()).containsExactly(3);
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

  /** An element that others are equal to in order. */
  private record Tagged(int place, String tag) {
    static VersionedSet<Tagged> set(Journal journal) {
      return new VersionedSet<>(journal, Comparator.comparingInt(Tagged::place));
    }
  }

  @Test
  void copiesOfElementsAreInTheCopyOnly() {
    VersionedSet<Tagged> original = Tagged.set(new Journal());
    original.add(new Tagged(1, "original"));
    VersionedSet<Tagged> copy = Tagged.set(new Journal());

    copy.copy(original, element -> new Tagged(element.place, "copy"));

    assertThat(copy.toList()).containsExactly(new Tagged(1, "copy"));
    assertThat(original.toList()).containsExactly(new Tagged(1, "original"));
  }

  @Test
  void aCopyRecordsInItsOwnJournal() {
    Values original = new Values();
    Journal journalOfCopy = new Journal();
    VersionedSet<Integer> copy = original.set.copy(journalOfCopy);

    original.journal.begin();
    copy.add(1);
    original.journal.rollback();
    assertThat(copy.toList()).containsExactly(1);
    journalOfCopy.begin();
    copy.add(2);
    journalOfCopy.rollback();

    assertThat(copy.toList()).containsExactly(1);
  }

  @Test
  void aLogKeepsMoreChangesThanItBeganWith() {
    AmountLog log = new AmountLog();
    for (int i = 0; i < 200; i++) {
      log.add(i, -i);
    }

    for (int i = 199; i >= 0; i--) {
      assertThat(log.size()).isEqualTo(i + 1);
      assertThat(log.lastIndex()).isEqualTo(i);
      assertThat(log.lastAmount()).isEqualTo(-i);
      log.removeLast();
    }
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
