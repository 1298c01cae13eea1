package io.kueue4j.core.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.immutables.value.Value;

/**
 * The decision to admit a workload: the flavors, nodes and slices that its pods get. The workload
 * holds the quota from {@link #quotaReservedTime()} until it finishes or its pods have stopped.
 *
 * <p>Kueue: {@code Workload.status.admission}. Rules: M-31, S-22.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Admission {
  Admission() {}

  /** {@return a new builder; workload, clusterQueue and quotaReservedTime are required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return the ClusterQueue whose quota the workload holds} */
  public abstract String clusterQueue();

  /** {@return the assignment of each pod set} */
  public abstract List<PodSetAssignment> podSetAssignments();

  /** {@return the names of the flavors of all pod sets, each once, in the order of the pod sets} */
  public Set<String> flavors() {
    Set<String> flavors = new LinkedHashSet<>();
    podSetAssignments().forEach(podSet -> flavors.addAll(podSet.flavors().values()));
    return Collections.unmodifiableSet(flavors);
  }

  /** {@return when the quota was reserved} */
  public abstract Instant quotaReservedTime();

  /** Builds {@link Admission}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableAdmission.Builder {
    Builder() {}
  }
}
