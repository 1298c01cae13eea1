package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.AssignmentRules;
import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.queue.BoundSource;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes attempts that can only end in {@code NO_FIT}, by bounds on the quota that they need,
 * and whose only effect is therefore that their shape waits for the next event.
 *
 * <p>While workloads are only admitted, less and less quota is available: an attempt that is
 * hopeless remains so until the next event of its tree.
 */
public final class HopelessAttempts {
  private final AssignmentRules assignmentRules;
  private final CycleRules rules;

  /**
   * Creates an instance.
   *
   * @param assignmentRules the settings of the search over flavors
   * @param rules the settings of the cycle
   */
  public HopelessAttempts(AssignmentRules assignmentRules, CycleRules rules) {
    this.assignmentRules = assignmentRules;
    this.rules = rules;
  }

  /**
   * {@return the number of attempts that the deferred event of a queue would cause, if all of them
   * are hopeless; 0 if some are not, or if there are none}
   *
   * @param mayUse whether workloads of a namespace may use the queue
   */
  public int countIfAll(QueueState queue, Predicate<String> mayUse) {
    if (!queue.quota().isActive() || !isPlain(queue.quota())) {
      return 0;
    }
    List<QuotaBound> bounds =
        queue.pendingBeforeEvent().boundsOfParked(new Source(queue.quota(), mayUse));
    if (bounds == null) {
      return 0;
    }
    for (QuotaBound bound : bounds) {
      if (!bound.isOf(queue.quota())) {
        queue.pendingBeforeEvent().forgetBounds();
        return countIfAll(queue, mayUse);
      }
      if (!bound.isMissed()) {
        return 0;
      }
    }
    return bounds.size();
  }

  /**
   * {@return whether an attempt of {@code head}, which was popped, is hopeless}
   *
   * @param mayUse whether workloads of a namespace may use the queue
   */
  public boolean isHopeless(Head head, Predicate<String> mayUse) {
    QueueQuota quota = head.queue().quota();
    Source source = new Source(quota, mayUse);
    return isPlain(quota)
        && source.accepts(head, head.compiled().source().namespace())
        && head.queue().pending().bound(head, source).isMissed();
  }

  /**
   * {@return whether nothing but quota, nodes and namespaces keeps workloads of a queue waiting}
   */
  private static boolean isPlain(QueueQuota quota) {
    return quota.compiled().source().admissionChecks().isEmpty();
  }

  /** The bounds of the workloads of one ClusterQueue. */
  private final class Source implements BoundSource {
    private final QueueQuota quota;
    private final Predicate<String> mayUse;

    Source(QueueQuota quota, Predicate<String> mayUse) {
      this.quota = quota;
      this.mayUse = mayUse;
    }

    @Override
    public boolean accepts(@Nullable PendingWorkload workload, String namespace) {
      if (!(workload instanceof Head head) || head.progress() != null) {
        return false;
      }
      CompiledWorkload compiled = workload.compiled();
      Workload source = compiled.source();
      return !source.elastic()
          && source.replaces().isEmpty()
          && source.admissibilityProblems().isEmpty()
          && (compiled.shrinkablePods() == 0 || !rules.partialAdmission())
          && mayUse.test(namespace);
    }

    @Override
    public QuotaBound bound(PendingWorkload workload, @Nullable QuotaBound known) {
      return known != null && known.isOf(quota)
          ? known
          : QuotaBound.of(workload.compiled(), quota, assignmentRules);
    }
  }
}
