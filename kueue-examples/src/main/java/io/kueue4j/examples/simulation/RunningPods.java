package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Maps;
import com.google.common.collect.Ordering;
import com.google.common.collect.SetMultimap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The pods among manifests that admission has placed and that run, by the jobs they belong to: they
 * show the places of a job of which no other record exists.
 */
final class RunningPods {
  private static final Ordering<Iterable<String>> BY_VALUES =
      Ordering.<String>natural().lexicographical();

  private final SetMultimap<String, Pod> byOwner;
  private final ImmutableMap<String, Node> nodes;
  private final ImmutableMap<String, Topology> topologies;

  private RunningPods(
      SetMultimap<String, Pod> byOwner,
      ImmutableMap<String, Node> nodes,
      ImmutableMap<String, Topology> topologies) {
    this.byOwner = byOwner;
    this.nodes = nodes;
    this.topologies = topologies;
  }

  /** {@return the pods among manifests} */
  static RunningPods of(Manifests manifests) {
    SetMultimap<String, String> owners = LinkedHashMultimap.create();
    for (Manifest manifest : manifests.items()) {
      HasMetadata object = manifest.as(GenericKubernetesResource.class);
      owners.putAll(StartedJobs.uid(object), ownerUids(object));
    }
    SetMultimap<String, Pod> byOwner = LinkedHashMultimap.create();
    for (Manifest manifest : manifests.items("", "Pod")) {
      Pod pod = manifest.as(Pod.class);
      if (JobPods.isOnNode(pod) && TopologyAnnotations.isPlaced(pod.getMetadata())) {
        ancestors(pod, owners).forEach(uid -> byOwner.put(uid, pod));
      }
    }
    return new RunningPods(
        byOwner,
        byOwner.isEmpty()
            ? ImmutableMap.of()
            : Maps.uniqueIndex(ClusterNodes.of(ImmutableList.of(manifests)), Node::name),
        Maps.uniqueIndex(Latest.configuration(manifests, Topology.class), Topology::name));
  }

  /** {@return no pods} */
  static RunningPods none() {
    return new RunningPods(LinkedHashMultimap.create(), ImmutableMap.of(), ImmutableMap.of());
  }

  private static ImmutableList<String> ownerUids(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata()).stream()
        .flatMap(metadata -> metadata.getOwnerReferences().stream())
        .map(OwnerReference::getUid)
        .filter(uid -> !Strings.isNullOrEmpty(uid))
        .collect(toImmutableList());
  }

  /** {@return the uids of the owners of a pod, of their owners, and so on} */
  private static Set<String> ancestors(Pod pod, SetMultimap<String, String> owners) {
    Set<String> found = new HashSet<>();
    List<String> next = ownerUids(pod);
    while (!next.isEmpty()) {
      next = next.stream()
          .filter(found::add)
          .flatMap(uid -> owners.get(uid).stream())
          .collect(toImmutableList());
    }
    return found;
  }

  /**
   * {@return an admission with the places of the pods of a job, on flavors that have a topology;
   * pods on nodes that do not have its labels are left out}
   *
   * @param admission the admission, without places
   * @param job the job
   * @param flavors the flavors by name
   */
  Admission withPlaces(Admission admission, HasMetadata job, Map<String, ResourceFlavor> flavors) {
    Set<Pod> pods = byOwner.get(StartedJobs.uid(job));
    if (pods.isEmpty()) {
      return admission;
    }
    boolean single = admission.podSetAssignments().size() == 1;
    return Admission.builder()
        .workload(admission.workload())
        .clusterQueue(admission.clusterQueue())
        .quotaReservedTime(admission.quotaReservedTime())
        .addAllPodSetAssignments(admission.podSetAssignments().stream()
            .map(assignment -> topology(assignment, flavors)
                .flatMap(topology -> places(
                    topology,
                    pods.stream()
                        .filter(pod -> single || isOf(pod, assignment.name()))
                        .collect(toImmutableList())))
                .map(places -> PodSetAssignment.builder()
                    .from(assignment)
                    .topologyAssignment(places)
                    .build())
                .orElse(assignment))
            .collect(toImmutableList()))
        .build();
  }

  private static boolean isOf(Pod pod, String podSet) {
    ObjectMeta metadata = pod.getMetadata();
    return metadata.getLabels() != null
        && podSet.equals(metadata.getLabels().get(PodPlacer.POD_SET));
  }

  private Optional<Topology> topology(
      PodSetAssignment assignment, Map<String, ResourceFlavor> flavors) {
    return assignment.flavors().values().stream()
        .map(flavors::get)
        .filter(Objects::nonNull)
        .flatMap(flavor -> flavor.topologyName().stream())
        .map(topologies::get)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private Optional<TopologyAssignment> places(Topology topology, List<Pod> pods) {
    List<String> levels =
        topology.endsInHosts() ? ImmutableList.of(Topology.HOSTNAME) : topology.levels();
    Map<List<String>, Integer> counts = new TreeMap<>(BY_VALUES);
    for (Pod pod : pods) {
      Node node = nodes.get(pod.getSpec().getNodeName());
      if (node != null && node.labels().keySet().containsAll(levels)) {
        counts.merge(
            levels.stream().map(level -> node.labels().get(level)).collect(toImmutableList()),
            1,
            Integer::sum);
      }
    }
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(new TopologyAssignment(
            levels,
            counts.entrySet().stream()
                .map(place -> new TopologyAssignment.Domain(
                    ImmutableList.copyOf(place.getKey()), place.getValue()))
                .collect(toImmutableList())));
  }
}
