package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the candidates of a ClusterQueue that a policy allows and that are not taken yet. */
final class AllowedCandidates extends CandidateWalk<QuotaHolder> {
  private final Preemptor preemptor;
  private final PreemptionPolicy policy;
  private final Set<QuotaHolder> taken;
  private final boolean isByPriority;
  private final Iterator<QuotaHolder> candidates;

  AllowedCandidates(
      CandidateList list, Preemptor preemptor, PreemptionPolicy policy, Set<QuotaHolder> taken) {
    this.preemptor = preemptor;
    this.policy = policy;
    this.taken = taken;
    this.isByPriority = list.isByPriority();
    this.candidates = preemptor.mayPreemptAny(policy, list.lowestPriority(), list.latestQueueTime())
        ? list.iterator()
        : Collections.emptyIterator();
  }

  @Override
  protected @Nullable QuotaHolder read() {
    while (candidates.hasNext()) {
      QuotaHolder candidate = candidates.next();
      if (preemptor.mayPreempt(candidate, policy)) {
        if (!taken.contains(candidate)) {
          return candidate;
        }
      } else if (isByPriority
          && !candidate.isEvicted()
          && preemptor.mayPreemptNoneFrom(candidate, policy, true)) {
        break;
      }
    }
    return null;
  }
}
