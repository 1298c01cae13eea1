package io.kueue4j.core.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was created at an earlier moment is copied, or recorded, before it is changed. */
class JournalTest {
  private final Journal journal = new Journal();

  @Test
  void eachCallIsAMomentOfItsOwn() {
    journal.begin();
    long first = journal.moment();
    journal.commit();
    journal.begin();

    assertThat(journal.moment()).isGreaterThan(first);
  }

  @Test
  void whatWasBeforeAForkInACallIsOfAnEarlierMoment() {
    journal.begin();
    long before = journal.moment();
    journal.share();

    assertThat(journal.moment()).isGreaterThan(before);
  }

  @Test
  void aForkBeginsAfterAllMomentsOfTheOriginal() {
    journal.begin();

    assertThat(journal.fork().moment()).isGreaterThan(journal.moment());
  }

  @Test
  void aForkIsInNoCallOfTheOriginal() {
    journal.begin();

    assertThat(journal.fork().isOpen()).isFalse();
  }

  @Test
  void changesOfACallAreCounted() {
    journal.add(() -> {});
    long before = journal.changeCount();
    journal.begin();
    journal.add(() -> {});
    journal.add(() -> {});
    journal.commit();

    assertThat(journal.changeCount()).isEqualTo(before + 2);
  }

  @Test
  void aCallEndsWithItsCommitOrRollback() {
    journal.begin();
    assertThat(journal.isOpen()).isTrue();
    journal.commit();
    assertThat(journal.isOpen()).isFalse();
    journal.begin();
    journal.rollback();

    assertThat(journal.isOpen()).isFalse();
  }

  @Test
  void whatWasTakenBackIsNotTakenBackAgain() {
    List<String> steps = new ArrayList<>();
    journal.begin();
    journal.add(() -> steps.add("first"));
    journal.rollback();
    journal.begin();
    journal.rollback();

    assertThat(steps).containsExactly("first");
  }
}
