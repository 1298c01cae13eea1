package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visits the pod sets of one workload and the resources that they request, and searches a flavor
 * for each.
 *
 * <p>Upstream stops at pods that request only amounts of 0 of undeclared resources, and admits the
 * rest of the workload without charging it; this class continues with the next pod set (F-7, X-19).
 *
 * <p>Rules: M-13, F-3, F-4, F-5, F-6, F-7, F-13, F-24, F-26, F-27, F-28, F-29, F-30, F-31, E-5,
 * T-20.
 */
public final class AssignmentWalk {
  private final FlavorSearch search;
  private final int[] counts;
  private final @Nullable ScanProgress progress;
  private final List<PodSetFlavors> decided;
  private int level;

  /**
   * Creates the walk.
   *
   * @param search the search for flavors, used for this walk only
   * @param counts the number of pods of each pod set
   * @param progress where the last search ended, null to start at the first flavors
   */
  public AssignmentWalk(FlavorSearch search, int[] counts, @Nullable ScanProgress progress) {
    this.search = search;
    this.decided = new ArrayList<>(search.workload.size());
    this.counts = counts;
    this.progress = search.isFungible ? progress : null;
  }

  /** {@return the flavors for the workload} */
  public Assignment walk() {
    AssignmentMode mode = AssignmentMode.FIT;
    PendingCause cause = PendingCause.WAITING_FOR_QUOTA;
    for (int[] members : search.workload.groups()) {
      GroupRequests requests =
          new GroupRequests(search.workload, search.queue.compiled(), members, counts);
      if (search.replaced != null) {
        requests.subtract(search.replaced);
      }
      int worst = decide(requests);
      if (worst == FlavorFit.NO_FIT) {
        mode = AssignmentMode.NO_FIT;
        cause = search.cause();
        break;
      }
      boolean complete = record(requests);
      if (worst != FlavorFit.FIT && mode != AssignmentMode.NO_FIT) {
        // A pod set without flavors does not count when its group does not fit (F-29).
        mode = complete ? AssignmentMode.PREEMPT : AssignmentMode.NO_FIT;
      }
    }
    return new Assignment(
        mode, decided, search.usage(), level, search.reasons(), cause, null, search.replaced);
  }

  /** {@return the worst mode among the searches for the group} */
  private int decide(GroupRequests requests) {
    CompiledQueue compiled = search.queue.compiled();
    int worst = FlavorFit.FIT;
    for (int r = 0; r < requests.size; r++) {
      ResourceName resource = requests.resources[r];
      if (requests.pairs[r] != GroupRequests.UNDECIDED) {
        continue;
      }
      if (!compiled.covers(resource)) {
        if (requests.amounts[r] == 0
            || search.settings.quotaCheckStrategy()
                == Settings.QuotaCheckStrategy.IGNORE_UNDECLARED) {
          continue;
        }
        search.reasons().addUncovered(requests.members[0], resource);
        search.failWithoutMatch();
        return FlavorFit.NO_FIT;
      }
      int resumeAt = progress == null ? 0 : progress.resumeAt(requests.members[0], resource);
      worst = Math.min(worst, FlavorFit.mode(search.search(requests, r, resumeAt)));
      if (worst == FlavorFit.NO_FIT) {
        return worst;
      }
    }
    if (requests.size == 0
        && search.settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && compiled.groupCount() == 0) {
      search.reasons().add(ReasonCode.NO_FLAVORS, requests.members[0]);
      search.failWithoutMatch();
      return FlavorFit.NO_FIT;
    }
    return worst;
  }

  /** {@return whether every pod set of the group has flavors} */
  private boolean record(GroupRequests requests) {
    boolean complete = true;
    for (int member : requests.members) {
      PodSetFlavors flavors = requests.of(member, counts[member], search.placer::hasTopology);
      decided.add(flavors);
      complete &= flavors.size() > 0;
      search.give(flavors);
    }
    for (int r = 0; r < requests.size; r++) {
      if (requests.pairs[r] != GroupRequests.UNDECIDED) {
        level = Math.max(level, FlavorFit.level(requests.fits[r]));
      }
    }
    return complete;
  }
}
