package io.kueue4j.examples.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.controller.object.ObjectKey;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The order of work, and that it is forgotten when it was taken. */
class WorkListTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final WorkList work = new WorkList();

  private static ObjectKey job(String namespace, int number) {
    return new ObjectKey("batch", "Job", namespace, "job" + number);
  }

  private static ImmutableList<ObjectKey> all(Supplier<Optional<ObjectKey>> poll) {
    ImmutableList.Builder<ObjectKey> all = ImmutableList.builder();
    for (Optional<ObjectKey> next = poll.get(); next.isPresent(); next = poll.get()) {
      all.add(next.get());
    }
    return all.build();
  }

  @Test
  void namespacesTakeTurns() {
    for (int number = 0; number < 3; number++) {
      work.add(job("a", number));
    }
    work.add(job("b", 0));
    work.add(job("b", 1));
    assertThat(work.size()).isEqualTo(5);
    assertThat(all(work::poll))
        .containsExactly(job("a", 0), job("b", 0), job("a", 1), job("b", 1), job("a", 2));
    assertThat(work.isEmpty()).isTrue();
  }

  @Test
  void decisionsComeBeforeNewsAndOtherWritesAreAskedForAlone() {
    work.behind().add(job("a", 0));
    work.decided().add(job("a", 1));
    work.add(job("a", 2));
    assertThat(work.size()).isEqualTo(2);
    assertThat(work.news().size()).isEqualTo(1);
    assertThat(all(work::poll)).containsExactly(job("a", 1), job("a", 2));
    assertThat(work.behind().size()).isEqualTo(1);
    assertThat(all(work.behind()::poll)).containsExactly(job("a", 0));
  }

  @Test
  void aJobIsDueOnceHoweverOftenItIsAdded() {
    work.add(job("a", 0));
    work.add(job("a", 0));
    assertThat(all(work::poll)).containsExactly(job("a", 0));
    assertThat(work.size()).isZero();
  }

  @Test
  void aDelayedJobIsDueAtTheLastTimeNamed() {
    work.delay(job("a", 0), NOON);
    work.delay(job("a", 0), NOON.plusSeconds(2));
    work.wake(NOON.plusSeconds(1));
    assertThat(work.isEmpty()).isTrue();
    assertThat(work.next()).hasValue(NOON.plusSeconds(2));
    work.wake(NOON.plusSeconds(2));
    assertThat(all(work::poll)).containsExactly(job("a", 0));
    assertThat(work.next()).isEmpty();
  }
}
