package io.kueue4j.core.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

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
}
