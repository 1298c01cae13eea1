package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows which starts are promised, and what capacity windows keep: holds back heads that would
 * delay a start or run into a window, and keeps promises.
 */
public interface PromiseGuard {
  /**
   * A question about a head.
   *
   * @param head the head
   * @param assignment what it would hold from now on
   * @param leaving the workloads that have left then, whose amounts do not count at the moment
   * @param admitted the workloads that this cycle has admitted so far, whose amounts count
   */
  record Query(
      Head head, Assignment assignment, List<QuotaHolder> leaving, Set<WorkloadId> admitted) {}

  /** {@return whether no start is promised and there are no windows} */
  boolean isEmpty();

  /**
   * {@return what a head was promised to hold from now on, null if it is promised nothing, or a
   * later start, or if that does not fit}
   */
  @Nullable
  Assignment promised(Head head, Instant now);

  /**
   * {@return which promised start a head would delay or which window it would run into, or null}
   */
  @Nullable
  Reason delay(Query query, Instant now);

  /**
   * {@return how a head fits now beside all windows that it would meet, as if they had begun; null
   * if it does not, or meets none}
   */
  @Nullable
  Assignment besideWindows(Head head, Instant now);
}
