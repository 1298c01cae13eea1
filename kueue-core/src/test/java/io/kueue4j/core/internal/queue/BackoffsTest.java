package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The ends of backoffs that a queue reports to its observer; rule U-20. */
class BackoffsTest {
  private final QueueFixture fixture = new QueueFixture();
  private final Journal undo = new Journal();
  private final Reports reports = new Reports();
  private final PendingQueue queue = new PendingQueue(QueueFixture.RULES, null, undo, reports);

  /** The reported ends, in seconds after the beginning; null where none is left. */
  private static final class Reports implements QueueObserver {
    final List<@Nullable Long> seconds = new ArrayList<>();

    @Override
    public void beforeChange() {}

    @Override
    public void nextReleaseChanged(@Nullable Instant next) {
      seconds.add(next == null ? null : next.getEpochSecond() - NOW.getEpochSecond());
    }
  }

  private PendingWorkload push(String name, int seconds) {
    return push(workload(name, 1).requeueAt(NOW.plusSeconds(seconds)));
  }

  private PendingWorkload push(Workload.Builder workload) {
    PendingWorkload pending = fixture.pending(workload, 0, 0);
    queue.push(pending, NOW);
    return pending;
  }

  @Test
  void onlyChangesOfTheNextEndAreReported() {
    push(workload("active", 1));
    push("late", 20);
    PendingWorkload early = push("early", 10);
    push("last", 30);
    queue.leave(early);
    queue.releaseDue(namespace -> true, NOW.plusSeconds(30));

    // Both backoffs are over, and are ended one after the other.
    assertThat(reports.seconds).containsExactly(20L, 10L, 20L, 30L, null);
    assertThat(queue.awaitsEndOfBackoff()).isFalse();
  }

  @Test
  void aBackoffThatOnlyAnEventEndsIsNotReported() {
    push(workload("waits", 1).requeueAt(NOW.plusSeconds(5)).requeued(false));

    assertThat(reports.seconds).isEmpty();
    assertThat(queue.awaitsEndOfBackoff()).isFalse();
  }

  @Test
  void aRollbackReportsWhatWasBefore() {
    push("first", 20);
    undo.begin();
    push("second", 10);
    queue.releaseDue(namespace -> true, NOW.plusSeconds(20));
    undo.rollback();

    assertThat(reports.seconds.get(reports.seconds.size() - 1)).isEqualTo(20L);
  }

  @Test
  void aCopyReportsWhatIsCopied() {
    push("w", 20);
    Reports ofCopy = new Reports();
    PendingQueue copy = queue.newEmpty(LocalQueueUsage.NONE, new Journal(), ofCopy);
    copy.fillFrom(queue, PendingWorkload::outOfQueue);

    assertThat(ofCopy.seconds).containsExactly(20L);
  }
}
