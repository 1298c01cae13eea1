package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.k8s.internal.kueue.ResourceLists;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.Map;

/**
 * Writes admissions in Kueue's format, for {@code Workload.status.admission}.
 *
 * <p>The result consists of maps, lists, texts and integers, in the order of the fields of Kueue's
 * API, for any JSON or YAML writer. Reading it again gives an equal admission.
 *
 * <pre>{@code
 * Map<String, Object> admission = AdmissionWriter.v1beta2().write(admitted.admission());
 * }</pre>
 *
 * <p>Immutable and thread-safe. Rules: M-31, T-50, T-51, T-52.
 *
 * @since 0.1.0
 */
public final class AdmissionWriter {
  private static final AdmissionWriter V1BETA1 = new AdmissionWriter(KueueApiVersion.V1BETA1);
  private static final AdmissionWriter V1BETA2 = new AdmissionWriter(KueueApiVersion.V1BETA2);

  private final KueueApiVersion version;

  private AdmissionWriter(KueueApiVersion version) {
    this.version = version;
  }

  /** {@return the writer for API version v1beta1, which lists every domain} */
  public static AdmissionWriter v1beta1() {
    return V1BETA1;
  }

  /** {@return the writer for API version v1beta2, which writes the common parts of domains once} */
  public static AdmissionWriter v1beta2() {
    return V1BETA2;
  }

  /**
   * {@return the writer for an API version}
   *
   * @throws IllegalArgumentException if it is neither v1beta1 nor v1beta2
   */
  public static AdmissionWriter of(KueueApiVersion version) {
    return version.requireWritable() == KueueApiVersion.V1BETA1 ? V1BETA1 : V1BETA2;
  }

  /** {@return the field {@code status.admission} of the workload} */
  public Map<String, Object> write(Admission admission) {
    return ImmutableMap.of(
        "clusterQueue",
        admission.clusterQueue(),
        "podSetAssignments",
        admission.podSetAssignments().stream()
            .map(this::write)
            .collect(ImmutableList.toImmutableList()));
  }

  /** {@return the field {@code topologyAssignment} of a pod set's assignment} */
  public Map<String, Object> write(TopologyAssignment assignment) {
    return version == KueueApiVersion.V1BETA1
        ? TopologyAssignmentWriter.writeDomains(assignment)
        : TopologyAssignmentWriter.writeSlices(assignment);
  }

  private ImmutableMap<String, Object> write(PodSetAssignment assignment) {
    ImmutableMap.Builder<String, Object> written = ImmutableMap.builder();
    written
        .put("name", assignment.name())
        .put("flavors", assignment.flavors())
        .put("resourceUsage", ResourceLists.write(assignment.resourceUsage()))
        .put("count", assignment.count());
    assignment
        .topologyAssignment()
        .ifPresent(topology -> written.put("topologyAssignment", write(topology)));
    assignment
        .delayedTopologyRequest()
        .ifPresent(state -> written.put("delayedTopologyRequest", state.toString()));
    return written.buildOrThrow();
  }
}
