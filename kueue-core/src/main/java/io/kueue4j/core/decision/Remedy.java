package io.kueue4j.core.decision;

import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Quantity;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A change after which the engine admits a waiting workload, as values and as text. Found by
 * {@link Explanation#remedy()}; {@link io.kueue4j.core.AdmissionEngine#apply(Remedy)} makes the
 * change. Immutable.
 *
 * <p>Each remedy has been verified: the change was made on a copy of the engine, which admitted the
 * workload by {@code tryAdmit}, or in cycles for {@link Kind#WAIT_FOR_TURN} and
 * {@link Kind#RAISE_PRIORITY}. Quotas are raised by the smallest amounts: with one unit less of any
 * of them, the workload is not admitted.
 *
 * <pre>{@code
 * engine.explain(id).remedy().ifPresent(remedy -> {
 *   log("would be admitted if: " + remedy.message());
 *   engine.apply(remedy);
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Remedy {
  Remedy() {}

  /**
   * The kinds of {@link Remedy}, in the order of their cost: first those that need no action, then
   * actions of the workload's owner, then those that grant access, last those that cost capacity or
   * the progress of other workloads.
   *
   * @since 0.1.0
   */
  public enum Kind {
    /** No change: cycles admit it in its turn. */
    WAIT_FOR_TURN,
    /** The workloads that cycles preempt for it have stopped. */
    STOP_VICTIMS,
    /** Its backoff ends. */
    END_BACKOFF,
    /** It gets a higher priority than the workloads before it. */
    RAISE_PRIORITY,
    /** It is activated. */
    ACTIVATE,
    /** Its admission gates are removed. */
    REMOVE_ADMISSION_GATES,
    /** Invalid pod specifications are repaired. */
    REPAIR_PODS,
    /** Its pods tolerate the taints, or select the labels, of a flavor. */
    ADAPT_PODS,
    /** The stop policy of its LocalQueue is lifted. */
    OPEN_LOCAL_QUEUE,
    /** Its LocalQueue is created. */
    CREATE_LOCAL_QUEUE,
    /** The stop policy of its ClusterQueue is lifted. */
    OPEN_CLUSTER_QUEUE,
    /** ResourceFlavors that its ClusterQueue names are created. */
    CREATE_RESOURCE_FLAVORS,
    /** Admission checks that do not exist are removed from its ClusterQueue. */
    REMOVE_ADMISSION_CHECKS,
    /** Its namespace is created. */
    CREATE_NAMESPACE,
    /** Its namespace gets the labels that the ClusterQueue selects. */
    LABEL_NAMESPACE,
    /** Its ClusterQueue selects every namespace. */
    SELECT_EVERY_NAMESPACE,
    /** A borrowing limit on the path to the root of its cohorts is raised. */
    RAISE_BORROWING_LIMIT,
    /** A lending limit of another ClusterQueue or cohort, which keeps unlent quota, is raised. */
    RAISE_LENDING_LIMIT,
    /** Nominal quotas of its ClusterQueue are raised, all of them in one step. */
    RAISE_NOMINAL_QUOTA,
    /** Nominal quotas of a cohort above its ClusterQueue are raised, all of them in one step. */
    RAISE_COHORT_QUOTA,
    /** Its ClusterQueue gets quota for resources that it does not cover. */
    COVER_RESOURCES,
    /** Its ClusterQueue is created with the minimum quota that it needs. */
    CREATE_CLUSTER_QUEUE,
    /**
     * Workloads that hold the quota it needs stop, although no policy allows it to preempt them.
     */
    STOP_HOLDERS
  }

  /**
   * A nominal quota, or a borrowing or lending limit, that is raised. Amounts have the units of the
   * resource: milli-units of cpu, whole units of everything else.
   *
   * @param owner the kind and name of its owner, such as {@code ClusterQueue research}
   * @param flavor the flavor
   * @param resource the resource
   * @param from the current amount, 0 if there is none
   * @param to the required amount
   * @since 0.1.0
   */
  public record Raise(String owner, String flavor, String resource, long from, long to) {
    /** {@return the raise as a human-readable clause} */
    public String message() {
      return resource + " in flavor " + flavor + " from " + Quantity.format(resource, from) + " to "
          + Quantity.format(resource, to) + " (+" + Quantity.format(resource, to - from) + ")";
    }
  }

  /** {@return a builder of a remedy of that kind} */
  public static Builder builder(Kind kind) {
    return new Builder().kind(kind);
  }

  /** {@return what is changed} */
  public abstract Kind kind();

  /** {@return the change as a human-readable clause that completes "would be admitted if"} */
  public abstract String message();

  /** {@return the quotas and limits that are raised} */
  public abstract List<Raise> raises();

  /** {@return the changed configuration objects, to be applied in one step} */
  public abstract List<ConfigObject> objects();

  /** {@return the workload that changes or whose backoff ends; absent if it need not change} */
  public abstract Optional<Workload> workload();

  /** {@return the workloads that would have to stop, or to finish} */
  public abstract List<WorkloadId> stops();

  /** {@return {@link #message()}} */
  @Override
  public String toString() {
    return message();
  }

  /**
   * Builds remedies.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableRemedy.Builder {
    Builder() {}
  }
}
