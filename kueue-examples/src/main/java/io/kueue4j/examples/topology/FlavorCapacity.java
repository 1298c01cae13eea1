package io.kueue4j.examples.topology;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The nodes of one flavor with a topology, by domain.
 *
 * <p>Sums up the decisions of the engine, and decides nothing itself.
 *
 * @param flavor the name of the flavor
 * @param topology the topology
 * @param resources the resources that ClusterQueues have quota for in that flavor
 * @param root all domains
 * @param unused nodes of the flavor on which no pod is placed, with the reason
 */
public record FlavorCapacity(
    String flavor,
    Topology topology,
    ImmutableSortedSet<String> resources,
    DomainCapacity root,
    ImmutableSortedMap<String, String> unused) {

  /** {@return the flavors with a topology, by name, as they are in {@code phase}} */
  public static ImmutableList<FlavorCapacity> of(ManifestPlayer simulation, Phase phase) {
    Map<String, Topology> topologies = new TreeMap<>();
    simulation.configuration(Topology.class).forEach(it -> topologies.put(it.name(), it));
    Map<String, FlavorCapacity> flavors = new TreeMap<>();
    for (ResourceFlavor flavor : simulation.configuration(ResourceFlavor.class)) {
      flavor
          .topologyName()
          .flatMap(name -> Optional.ofNullable(topologies.get(name)))
          .ifPresent(
              topology -> flavors.put(flavor.name(), of(flavor, topology, simulation, phase)));
    }
    return ImmutableList.copyOf(flavors.values());
  }

  private static FlavorCapacity of(
      ResourceFlavor flavor, Topology topology, ManifestPlayer simulation, Phase phase) {
    Map<ImmutableList<String>, DomainCapacity> leaves = new LinkedHashMap<>();
    Map<String, String> unused = new TreeMap<>();
    for (Node node : simulation.configuration(Node.class)) {
      if (node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet())) {
        Optional<String> obstacle = obstacle(node, topology);
        obstacle.ifPresent(why -> unused.put(node.name(), why));
        if (obstacle.isEmpty()) {
          ImmutableList<String> path = topology.levels().stream()
              .map(level -> node.labels().getOrDefault(level, ""))
              .collect(toImmutableList());
          leaves.merge(path, leaf(path, node), FlavorCapacity::merge);
        }
      }
    }
    charge(flavor.name(), topology, phase, leaves);
    return new FlavorCapacity(
        flavor.name(),
        topology,
        resources(flavor.name(), simulation),
        DomainCapacity.of(ImmutableList.of(), new ArrayList<>(leaves.values())),
        ImmutableSortedMap.copyOf(unused));
  }

  /** Rule T-5. */
  private static Optional<String> obstacle(Node node, Topology topology) {
    if (!node.ready()) {
      return Optional.of("not ready");
    }
    if (node.unschedulable()) {
      return Optional.of("cordoned");
    }
    return topology.levels().stream()
        .filter(level -> !node.labels().containsKey(level))
        .findFirst()
        .map(level -> "without the label " + level);
  }

  private static DomainCapacity leaf(List<String> path, Node node) {
    return new DomainCapacity(
        path,
        1,
        node.allocatable(),
        node.usedByOthers(),
        ImmutableSortedMap.of(),
        ImmutableList.of());
  }

  private static DomainCapacity merge(DomainCapacity a, DomainCapacity b) {
    return new DomainCapacity(
        a.path(),
        a.nodeCount() + b.nodeCount(),
        Amounts.sum(a.capacity(), b.capacity()),
        Amounts.sum(a.others(), b.others()),
        a.jobs(),
        ImmutableList.of());
  }

  /**
   * Adds usage. Hosts are shared by all flavors, other domains belong to one flavor (rule T-12).
   */
  private static void charge(
      String flavor,
      Topology topology,
      Phase phase,
      Map<ImmutableList<String>, DomainCapacity> leaves) {
    Map<ImmutableList<String>, ImmutableList<String>> paths = new HashMap<>();
    for (ImmutableList<String> path : leaves.keySet()) {
      int last = path.size() - 1;
      paths.put(topology.endsInHosts() ? path.subList(last, last + 1) : path, path);
    }
    for (JobReport job : phase.jobs()) {
      for (PodSetAssignment podSet : job.podSets()) {
        boolean here = topology.endsInHosts() || podSet.flavors().containsValue(flavor);
        if (here && job.status() == JobStatus.ADMITTED) {
          SortedMap<String, Long> perPod = requests(job, podSet.name());
          for (Domain domain : domains(podSet)) {
            leaves.computeIfPresent(
                paths.getOrDefault(domain.values(), ImmutableList.of()),
                (path, leaf) -> with(
                    leaf,
                    job.job().name(),
                    new JobShare(domain.count(), Amounts.times(perPod, domain.count()))));
          }
        }
      }
    }
  }

  private static List<Domain> domains(PodSetAssignment podSet) {
    return podSet.topologyAssignment().map(TopologyAssignment::domains).orElse(ImmutableList.of());
  }

  private static DomainCapacity with(DomainCapacity leaf, String job, JobShare share) {
    Map<String, JobShare> jobs = new TreeMap<>(leaf.jobs());
    jobs.merge(job, share, JobShare::plus);
    return new DomainCapacity(
        leaf.path(),
        leaf.nodeCount(),
        leaf.capacity(),
        leaf.others(),
        ImmutableSortedMap.copyOf(jobs),
        leaf.children());
  }

  private static SortedMap<String, Long> requests(JobReport job, String podSet) {
    return job.job().workload().podSets().stream()
        .filter(candidate -> candidate.name().equals(podSet))
        .findFirst()
        .map(FlavorCapacity::requests)
        .orElse(ImmutableSortedMap.of());
  }

  /** {@return the requests of a pod, including 1 of {@code pods} (rule T-9)} */
  static SortedMap<String, Long> requests(PodSet podSet) {
    return Amounts.sum(
        podSet.podRequests().orElse(podSet.requests()), Map.of(ResourceNames.PODS, 1L));
  }

  private static ImmutableSortedSet<String> resources(String flavor, ManifestPlayer simulation) {
    return simulation.configuration(ClusterQueue.class).stream()
        .flatMap(queue -> queue.resourceGroups().stream())
        .flatMap(group -> group.flavors().stream())
        .filter(quotas -> quotas.flavor().equals(flavor))
        .flatMap(quotas -> quotas.resources().stream())
        .map(quota -> quota.resource())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }
}
