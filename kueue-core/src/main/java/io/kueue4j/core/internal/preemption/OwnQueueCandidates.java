package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads candidates of the preemptor's own queue in order.
 *
 * <p>Rules: P-5.
 */
final class OwnQueueCandidates extends CandidateWalk<ClassicalCandidate> {
  private final CandidateIndex index;
  private final Preemptor preemptor;
  private final PreemptionPolicy policy;
  private final Iterator<QuotaHolder> holders;

  OwnQueueCandidates(CandidateIndex index, Preemptor preemptor) {
    QueueQuota queue = preemptor.queue();
    this.index = index;
    this.preemptor = preemptor;
    this.policy = queue.compiled().source().preemption().withinClusterQueue();
    this.holders = index.candidates(queue.node()).iterator();
  }

  /** {@return whether there may be a candidate, judged by the first holder only} */
  static boolean mayFindAny(CandidateIndex index, Preemptor preemptor) {
    QueueQuota queue = preemptor.queue();
    QuotaHolder first = index.candidates(queue.node()).first();
    return first != null
        && (first.isEvicted()
            || !preemptor.mayPreemptNoneFrom(
                first,
                queue.compiled().source().preemption().withinClusterQueue(),
                index.anyQueuedAfterReserved()));
  }

  @Override
  protected @Nullable ClassicalCandidate read() {
    while (holders.hasNext()) {
      QuotaHolder holder = holders.next();
      if (preemptor.mayPreempt(holder, policy)) {
        return new ClassicalCandidate(
            holder, CandidateKind.OWN, preemptor.queue().node());
      }
      if (!holder.isEvicted()
          && preemptor.mayPreemptNoneFrom(holder, policy, index.anyQueuedAfterReserved())) {
        break;
      }
    }
    return null;
  }
}
