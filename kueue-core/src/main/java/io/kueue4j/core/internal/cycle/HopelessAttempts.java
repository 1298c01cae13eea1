package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.AssignmentRules;
import io.kueue4j.core.internal.flavor.FlavorTable;
import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.queue.BoundSource;
import io.kueue4j.core.internal.queue.ParkedShape;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes attempts that cannot succeed, by bounds on the quota that they need, and whose only
 * effects are therefore that their shape waits for the next event, and that they may hold room for
 * the rest of the cycle.
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
   * {@return the shapes that the deferred event of a queue makes be tried, one in each cycle; null
   * if more is to be considered than quota}
   */
  public @Nullable List<ParkedShape> shapes(QueueState queue, ConfigurationRules configuration) {
    if (!queue.quota().isActive() || !isPlain(queue.quota())) {
      return null;
    }
    PendingQueue pending = queue.pendingBeforeEvent();
    Source source = new Source(queue.quota(), configuration);
    List<ParkedShape> known = pending.parkedShapes(source);
    if (known != null && !known.isEmpty() && !source.isValid(known.get(0).bound())) {
      // The tree has got other columns.
      pending.forgetBounds();
      known = pending.parkedShapes(source);
    }
    return known == null || known.isEmpty() ? null : known;
  }

  /**
   * {@return the bound of {@code head}, the next one of its queue; null if more is to be considered
   * than quota}
   */
  public @Nullable QuotaBound bound(Head head, ConfigurationRules configuration) {
    QueueQuota quota = head.queue().quota();
    Source source = new Source(quota, configuration);
    return isPlain(quota) && source.accepts(head) && head.queue().pending().isAccepted(head, source)
        ? head.queue().pending().bound(head, source)
        : null;
  }

  /**
   * {@return whether nothing but quota, nodes and namespaces keeps workloads of a queue waiting}
   */
  private static boolean isPlain(QueueQuota quota) {
    return quota.compiled().source().admissionChecks().isEmpty();
  }

  /** The part of the configuration that says whether quota alone decides. */
  public interface ConfigurationRules {
    /** {@return a number that grows, from 1, whenever the configuration may have changed} */
    int version();

    /** {@return whether workloads of a namespace may use a ClusterQueue} */
    boolean mayUse(ClusterQueue queue, String namespace);

    /** {@return the flavors, null if nodes or TPU pools count besides them} */
    @Nullable
    FlavorTable flavors();
  }

  /** The bounds of the workloads of one ClusterQueue. */
  private final class Source implements BoundSource {
    private final QueueQuota quota;
    private final ConfigurationRules configuration;

    Source(QueueQuota quota, ConfigurationRules configuration) {
      this.quota = quota;
      this.configuration = configuration;
    }

    boolean isValid(QuotaBound bound) {
      return bound.isOf(quota, version());
    }

    @Override
    public int version() {
      return configuration.version();
    }

    @Override
    public boolean accepts(String namespace) {
      return configuration.mayUse(quota.compiled().source(), namespace);
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
      return known != null && isValid(known)
          ? known
          : QuotaBound.of(
              workload.compiled(), quota, assignmentRules, configuration.flavors(), version());
    }
  }
}
