package io.kueue4j.k8s.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.internal.topology.PodUsage;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the pods of an admitted workload to the domains of its admission.
 *
 * <p>Pods of such a workload are created with a scheduling gate. If all pods of a pod set have
 * valid indexes, the index determines the place of each, so that neighbours share domains and a
 * replacement pod gets the place of its predecessor; otherwise domains are filled in their order.
 * In a group of two pod sets, the indexes of the leader precede the indexes of the workers.
 *
 * <pre>{@code
 * for (Placement placement : PodPlacer.place(workload, admission, pods)) {
 *   update(placement.ungated());    // by a client
 * }
 * }</pre>
 *
 * <p>A pure function: call it with all pods of the workload whenever a new one appears, until none
 * is gated. Rules: T-80, T-89.
 *
 * @since 0.1.0
 */
public final class PodPlacer {
  /** The scheduling gate of pods to be placed. */
  public static final String SCHEDULING_GATE = "kueue.x-k8s.io/topology";

  /** Annotation on pods: the admitted workload. */
  public static final String WORKLOAD = "kueue.x-k8s.io/workload";

  /** Label on pods: the pod set. */
  public static final String POD_SET = "kueue.x-k8s.io/podset";

  /** Annotation on a pod: the number that the indexes of its pod set start with. */
  public static final String POD_INDEX_OFFSET = TopologyAnnotations.INDEX_OFFSET;

  private PodPlacer() {}

  /**
   * {@return the placements of the gated pods among {@code pods}, in the order of pod sets and
   * places; pods without a place stay gated and are absent}
   *
   * @param workload the workload
   * @param admission its admission
   * @param pods the pods of the workload: in its namespace, annotated with its name, labelled with
   *     their pod set; other pods, and finished pods, are ignored
   * @throws IllegalArgumentException if the admission is of another workload
   */
  public static List<Placement> place(
      Workload workload, Admission admission, Iterable<? extends Pod> pods) {
    return place(workload, admission, pods, ImmutableSet.of());
  }

  /**
   * {@return the placements as {@link #place(Workload, Admission, Iterable)}, except that pods
   * whose place is on one of {@code failedNodes} stay gated until the admission is changed}
   *
   * @param failedNodes the names, as their label says, of hosts to be replaced
   * @throws IllegalArgumentException if the admission is of another workload
   */
  public static List<Placement> place(
      Workload workload,
      Admission admission,
      Iterable<? extends Pod> pods,
      Set<String> failedNodes) {
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected one of %s",
        admission.workload(),
        workload.id());
    Map<String, PodSet> podSets = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    ImmutableList.Builder<Placement> placements = ImmutableList.builder();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      PodSet podSet = podSets.get(assignment.name());
      Optional<TopologyAssignment> topology = assignment.topologyAssignment();
      if (podSet != null && topology.isPresent()) {
        PodSetPlaces places = new PodSetPlaces(
            podSet,
            assignment.count(),
            firstIndex(podSet, assignment, podSets, admission),
            topology.get());
        places.place(podsOf(workload, podSet.name(), pods)).stream()
            .filter(placement -> !isOn(failedNodes, topology.get(), placement))
            .forEach(placements::add);
      }
    }
    return placements.build();
  }

  /**
   * {@return the first index of the pod set} The smaller pod set of a group is its leader, the
   * first of two equal ones.
   */
  private static int firstIndex(
      PodSet podSet, PodSetAssignment own, Map<String, PodSet> podSets, Admission admission) {
    boolean before = true;
    for (PodSetAssignment other : admission.podSetAssignments()) {
      PodSet otherPodSet = podSets.get(other.name());
      if (other.name().equals(own.name())) {
        before = false;
      } else if (podSet.group().isPresent()
          && otherPodSet != null
          && otherPodSet.group().equals(podSet.group())) {
        boolean otherLeads = before ? other.count() <= own.count() : other.count() < own.count();
        return otherLeads ? other.count() : 0;
      }
    }
    return 0;
  }

  /**
   * {@return the pods of a pod set by name, as the API server lists them, so that the result does
   * not depend on the caller's order}
   */
  private static List<Pod> podsOf(Workload workload, String podSet, Iterable<? extends Pod> pods) {
    return ImmutableList.<Pod>copyOf(pods).stream()
        .filter(pod -> belongsTo(workload, podSet, pod) && !PodUsage.isFinished(pod))
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .toList();
  }

  private static boolean belongsTo(Workload workload, String podSet, Pod pod) {
    return pod.getMetadata() != null
        && Objects.equals(pod.getMetadata().getNamespace(), workload.namespace())
        && workload.name().equals(get(pod.getMetadata().getAnnotations(), WORKLOAD))
        && podSet.equals(get(pod.getMetadata().getLabels(), POD_SET));
  }

  private static boolean isOn(
      Set<String> nodes, TopologyAssignment assignment, Placement placement) {
    Domain domain = placement.domain();
    int last = assignment.levels().size() - 1;
    return last >= 0
        && assignment.levels().get(last).equals(Topology.HOSTNAME)
        && nodes.contains(domain.values().get(last));
  }

  static @Nullable String get(@Nullable Map<String, String> map, String key) {
    return map == null ? null : map.get(key);
  }

  /**
   * The placement of one pod.
   *
   * <p>Rules: T-89.
   *
   * @param podSet the pod set that it belongs to
   * @param pod the pod, gated; never modified
   * @param levels the keys of the node labels that identify domains
   * @param domain the domain that it shares with {@code domain.count() - 1} others
   * @since 0.1.0
   */
  public record Placement(String podSet, Pod pod, List<String> levels, Domain domain) {
    /** Copies what it is given. */
    public Placement {
      levels = ImmutableList.copyOf(levels);
    }

    /** {@return the node labels that the pod must select} */
    public Map<String, String> nodeSelector() {
      return IntStream.range(0, levels.size())
          .boxed()
          .collect(ImmutableMap.toImmutableMap(levels::get, domain.values()::get));
    }

    /**
     * {@return a copy of the pod that selects its domain and has no gate for placement; other gates
     * are kept}
     */
    public Pod ungated() {
      Map<String, String> selector = new LinkedHashMap<>();
      if (pod.getSpec().getNodeSelector() != null) {
        selector.putAll(pod.getSpec().getNodeSelector());
      }
      selector.putAll(nodeSelector());
      return pod.toBuilder()
          .editSpec()
          .withNodeSelector(selector)
          .removeMatchingFromSchedulingGates(
              gate -> PodPlacer.SCHEDULING_GATE.equals(gate.getName()))
          .endSpec()
          .build();
    }
  }
}
