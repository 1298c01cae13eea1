package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.AssignmentRules;
import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.queue.BoundSource;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Workload;
import java.util.List;
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

  /** What is known of the attempts that the deferred event of a queue causes. */
  public enum Prospect {
    /** The next attempt may succeed, or more is to be considered than quota. */
    OPEN,
    /** The next attempt is hopeless, later ones are not. */
    LATER,
    /** All attempts are hopeless. */
    NONE
  }

  /**
   * {@return what is known of the attempts that the deferred event of a queue causes, after those
   * that were left out already}
   */
  public Prospect prospect(QueueState queue, NamespaceRule namespaces) {
    if (!queue.quota().isActive() || !isPlain(queue.quota())) {
      return Prospect.OPEN;
    }
    List<QuotaBound> bounds = bounds(queue, namespaces);
    if (bounds == null || bounds.isEmpty()) {
      return Prospect.OPEN;
    }
    int next = queue.attemptsSinceEvent();
    for (int i = next; i < bounds.size(); i++) {
      if (!bounds.get(i).isMissed()) {
        return i == next ? Prospect.OPEN : Prospect.LATER;
      }
    }
    return Prospect.NONE;
  }

  /** {@return the number of attempts that the deferred event of a queue causes} */
  public int count(QueueState queue, NamespaceRule namespaces) {
    List<QuotaBound> bounds = bounds(queue, namespaces);
    return bounds == null ? 0 : bounds.size();
  }

  private @Nullable List<QuotaBound> bounds(QueueState queue, NamespaceRule namespaces) {
    PendingQueue pending = queue.pendingBeforeEvent();
    Source source = new Source(queue.quota(), namespaces);
    List<QuotaBound> known = pending.boundsOfParked(source);
    if (known == null || known.isEmpty() || known.get(0).isOf(queue.quota())) {
      return known;
    }
    // The tree has got other columns.
    pending.forgetBounds();
    return pending.boundsOfParked(source);
  }

  /** {@return whether an attempt of {@code head}, which was popped, is hopeless} */
  public boolean isHopeless(Head head, NamespaceRule namespaces) {
    QueueQuota quota = head.queue().quota();
    Source source = new Source(quota, namespaces);
    return isPlain(quota)
        && head.queue().pending().bound(head, source).isMissed()
        && source.accepts(head)
        && head.queue().pending().isAccepted(head, source);
  }

  /**
   * {@return whether nothing but quota, nodes and namespaces keeps workloads of a queue waiting}
   */
  private static boolean isPlain(QueueQuota quota) {
    return quota.compiled().source().admissionChecks().isEmpty();
  }

  /** Says which namespaces may use a ClusterQueue. */
  public interface NamespaceRule {
    /** {@return a number that grows, from 1, whenever the rule may have changed} */
    int version();

    /** {@return whether workloads of a namespace may use a ClusterQueue} */
    boolean mayUse(ClusterQueue queue, String namespace);
  }

  /** The bounds of the workloads of one ClusterQueue. */
  private final class Source implements BoundSource {
    private final QueueQuota quota;
    private final NamespaceRule namespaces;

    Source(QueueQuota quota, NamespaceRule namespaces) {
      this.quota = quota;
      this.namespaces = namespaces;
    }

    @Override
    public int version() {
      return namespaces.version();
    }

    @Override
    public boolean accepts(String namespace) {
      return namespaces.mayUse(quota.compiled().source(), namespace);
    }

    @Override
    public boolean accepts(PendingWorkload workload) {
      if (!(workload instanceof Head head) || head.progress() != null) {
        return false;
      }
      CompiledWorkload compiled = workload.compiled();
      Workload source = compiled.source();
      return !source.elastic()
          && source.replaces().isEmpty()
          && source.admissibilityProblems().isEmpty()
          && (compiled.shrinkablePods() == 0 || !rules.partialAdmission());
    }

    @Override
    public QuotaBound bound(PendingWorkload workload, @Nullable QuotaBound known) {
      return known != null && known.isOf(quota)
          ? known
          : QuotaBound.of(workload.compiled(), quota, assignmentRules);
    }
  }
}
