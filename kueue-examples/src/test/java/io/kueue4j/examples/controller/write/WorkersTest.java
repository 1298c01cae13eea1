package io.kueue4j.examples.controller.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread works at a time, and many wait for writes. */
@Timeout(60)
final class WorkersTest {
  private final Queue<Integer> due = new ArrayDeque<>();
  private final List<Integer> done = new ArrayList<>();

  WorkersTest() {
    for (int i = 0; i < 40; i++) {
      due.add(i);
    }
  }

  @Test
  void oneWorksInOrderInTheThreadOfTheCaller() {
    Thread caller = Thread.currentThread();
    try (Workers one = Workers.of(1)) {
      one.workOff(due.size(), () -> {
        assertThat(Thread.currentThread()).isSameAs(caller);
        Integer piece = due.poll();
        if (piece != null) {
          done.add(one.await(() -> piece));
        }
        return piece != null;
      });
    }

    assertThat(done).hasSize(40).isSorted();
  }

  @Test
  void asManyWaitAtATimeAsThereAreAndOneWorks() {
    CountDownLatch allWait = new CountDownLatch(4);
    AtomicInteger working = new AtomicInteger();
    try (Workers workers = Workers.of(4)) {
      workers.workOff(due.size(), () -> {
        assertThat(working.incrementAndGet()).isEqualTo(1);
        Integer piece = due.poll();
        if (piece != null) {
          working.decrementAndGet();
          done.add(workers.await(() -> {
            allWait.countDown();
            // No thread would get past here if they waited one after another.
            assertThat(Uninterruptibles.awaitUninterruptibly(allWait, 30, TimeUnit.SECONDS))
                .isTrue();
            return piece;
          }));
          assertThat(working.incrementAndGet()).isEqualTo(1);
        }
        working.decrementAndGet();
        return piece != null;
      });
    }

    assertThat(allWait.getCount()).isZero();
    assertThat(done).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void whatFailsIsThrownWhenTheOthersAreDone() {
    try (Workers workers = Workers.of(4)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> workers.workOff(due.size(), () -> {
            Integer piece = due.poll();
            if (piece != null && piece == 7) {
              throw new IllegalStateException("no");
            }
            if (piece != null) {
              done.add(piece);
            }
            return piece != null;
          }))
          .withMessage("no");
    }

    assertThat(done).hasSize(39).doesNotContain(7);
  }

  @Test
  void thereIsOneAtLeast() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Workers.of(0))
        .withMessageContaining("workers must be 1 or more, but was 0");
  }
}
