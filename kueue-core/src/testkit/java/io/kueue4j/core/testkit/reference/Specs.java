package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings and the current configuration objects by name.
 *
 * <p>Rules: L-6, M-12, M-15, M-19, M-20, M-21, M-22, M-23, R-9, U-24, T-3, T-4, T-76.
 */
final class Specs {
  private final Settings settings;
  private final Map<String, ResourceFlavor> flavors = new TreeMap<>();
  private final Map<String, ClusterQueue> queues = new TreeMap<>();
  private final Map<String, Cohort> cohorts = new TreeMap<>();
  private final Map<String, LocalQueue> localQueues = new TreeMap<>();
  private final Map<String, Namespace> namespaces = new TreeMap<>();
  private final Set<String> impliedNamespaces = new TreeSet<>();
  private final Map<String, WorkloadPriorityClass> priorityClasses = new TreeMap<>();
  private final Map<String, Topology> topologies = new TreeMap<>();
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, AdmissionCheck> checks = new TreeMap<>();

  Specs(Settings settings) {
    this.settings = settings;
  }

  Settings settings() {
    return settings;
  }

  /**
   * L-14.
   *
   * @return the policy for pods that are not ready, empty if it does not matter
   */
  Optional<PodsReadyPolicy> podsReady() {
    return isEnabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? Optional.empty()
        : settings.podsReady();
  }

  boolean isEnabled(FeatureGate gate) {
    return settings.isEnabled(gate);
  }

  void put(ConfigObject object) {
    if (object instanceof ResourceFlavor flavor) {
      flavors.put(flavor.name(), flavor);
    } else if (object instanceof ClusterQueue queue) {
      queues.put(queue.name(), queue);
    } else if (object instanceof Cohort cohort) {
      cohorts.put(cohort.name(), cohort);
    } else if (object instanceof LocalQueue queue) {
      localQueues.put(localQueueKey(queue), queue);
    } else if (object instanceof Namespace namespace) {
      namespaces.put(namespace.name(), namespace);
      impliedNamespaces.remove(namespace.name());
    } else if (object instanceof WorkloadPriorityClass priorityClass) {
      priorityClasses.put(priorityClass.name(), priorityClass);
    } else if (object instanceof Topology topology) {
      topologies.put(topology.name(), topology);
    } else if (object instanceof Node node) {
      nodes.put(node.name(), node);
    } else if (object instanceof AdmissionCheck check) {
      checks.put(check.name(), check);
    }
  }

  void removeQueue(String name) {
    queues.remove(name);
  }

  void removeCohort(String name) {
    cohorts.remove(name);
  }

  boolean removeLocalQueue(String namespace, String name) {
    boolean known = localQueues.remove(localQueueKey(namespace, name)) != null;
    boolean isLast =
        localQueues.values().stream().noneMatch(queue -> queue.namespace().equals(namespace));
    if (isLast && impliedNamespaces.remove(namespace)) {
      namespaces.remove(namespace);
    }
    return known;
  }

  /** A namespace that was never applied exists as long as it has a LocalQueue. */
  void implyNamespace(String name) {
    put(Namespace.of(name));
    impliedNamespaces.add(name);
  }

  boolean removeFlavor(String name) {
    return flavors.remove(name) != null;
  }

  boolean removeNamespace(String name) {
    impliedNamespaces.remove(name);
    return namespaces.remove(name) != null;
  }

  boolean hasPriorityClass(String name) {
    return priorityClasses.containsKey(name);
  }

  void removePriorityClass(String name) {
    priorityClasses.remove(name);
  }

  /** {@return the names of the queues that list a flavor} */
  List<String> queuesWithFlavor(String flavor) {
    return queues.values().stream()
        .filter(queue -> queue.resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .anyMatch(quotas -> quotas.flavor().equals(flavor)))
        .map(ClusterQueue::name)
        .collect(ImmutableList.toImmutableList());
  }

  static String localQueueKey(Workload workload) {
    return localQueueKey(workload.namespace(), workload.queueName());
  }

  static String localQueueKey(LocalQueue queue) {
    return localQueueKey(queue.namespace(), queue.name());
  }

  static String localQueueKey(String namespace, String name) {
    return namespace + "/" + name;
  }

  Optional<ResourceFlavor> flavor(String name) {
    return Optional.ofNullable(flavors.get(name));
  }

  Collection<ClusterQueue> queues() {
    return queues.values();
  }

  boolean hasQueue(String name) {
    return queues.containsKey(name);
  }

  /** {@return the queue, which must exist} */
  ClusterQueue queue(String name) {
    return Objects.requireNonNull(queues.get(name), name);
  }

  Optional<Cohort> cohort(String name) {
    return Optional.ofNullable(cohorts.get(name));
  }

  /** M-15: those applied and those that something names. */
  Set<String> cohortNames() {
    Set<String> names = new TreeSet<>(cohorts.keySet());
    cohorts.values().forEach(cohort -> cohort.parent().ifPresent(names::add));
    queues.values().forEach(queue -> queue.cohort().ifPresent(names::add));
    return names;
  }

  boolean hasNamespace(String name) {
    return namespaces.containsKey(name);
  }

  Collection<LocalQueue> localQueues() {
    return localQueues.values();
  }

  Optional<LocalQueue> localQueue(String key) {
    return Optional.ofNullable(localQueues.get(key));
  }

  /** {@return whether workloads of a LocalQueue can be admitted now (W-7)} */
  boolean takesPart(LocalQueue queue) {
    return queue.stopPolicy() == StopPolicy.NONE
        && queues.containsKey(queue.clusterQueue())
        && isActive(queue.clusterQueue());
  }

  /** {@return the LocalQueue of a workload, if it exists and is not stopped (M-20)} */
  Optional<LocalQueue> openLocalQueue(Workload workload) {
    return localQueue(localQueueKey(workload))
        .filter(queue -> queue.stopPolicy() == StopPolicy.NONE);
  }

  /** {@return the existing ClusterQueue of the open LocalQueue of a workload} */
  Optional<String> targetQueue(Workload workload) {
    return openLocalQueue(workload).map(LocalQueue::clusterQueue).filter(queues::containsKey);
  }

  /** a queue without selector matches no namespace. */
  boolean mayUse(String queue, String namespace) {
    Namespace known = namespaces.get(namespace);
    return known != null
        && queue(queue)
            .namespaceSelector()
            .filter(selector -> selector.matches(known.labels()))
            .isPresent();
  }

  Optional<Topology> topology(String name) {
    return Optional.ofNullable(topologies.get(name));
  }

  Optional<Node> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  boolean removeTopology(String name) {
    return topologies.remove(name) != null;
  }

  boolean removeNode(String name) {
    return nodes.remove(name) != null;
  }

  boolean removeCheck(String name) {
    return checks.remove(name) != null;
  }

  /**
   * T-88.
   *
   * @return whether the pods of a workload keep their places when it is scaled
   */
  boolean keepsPlaces(Workload workload) {
    return slicesKeepPlaces() && workload.elastic();
  }

  boolean slicesKeepPlaces() {
    return isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS);
  }

  /** {@return the nodes of all flavors, without pods} */
  Nodes emptyNodes() {
    return Nodes.of(
        flavors.values(),
        topologies,
        nodes.values(),
        isEnabled(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS),
        settings.includes(KueueFix.SHARED_HOSTS_WITHIN_CYCLE),
        isEnabled(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS),
        settings.strictTopology());
  }

  boolean hasTopology(String flavor) {
    return isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && flavor(flavor).flatMap(ResourceFlavor::topologyName).isPresent();
  }

  /** {@return the names of all flavors of a queue} */
  Set<String> flavorsOf(String queue) {
    Set<String> names = new TreeSet<>();
    queue(queue).resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .forEach(quotas -> names.add(quotas.flavor()));
    return names;
  }

  /** T-3; M-13 covers queues without any flavor. */
  boolean placesAllPods(String queue) {
    Set<String> names = flavorsOf(queue);
    return !names.isEmpty() && names.stream().allMatch(this::hasTopology);
  }

  /** M-12, T-4. */
  boolean isActive(String name) {
    ClusterQueue queue = queue(name);
    List<AdmissionCheckRule> remote = rules(name, AdmissionCheck.MULTI_KUEUE);
    return queue.stopPolicy() == StopPolicy.NONE
        && flavorsOf(name).stream()
            .allMatch(flavor ->
                flavor(flavor).isPresent() && (!remote.isEmpty() || knowsTopologyOf(flavor)))
        && queue.admissionChecks().stream()
            .allMatch(rule ->
                checks.containsKey(rule.name()) && checks.get(rule.name()).active())
        && remote.size() <= 1
        && remote.stream()
            .allMatch(rule -> flavorsOf(name).stream().allMatch(flavor -> concerns(rule, flavor)))
        && (remote.isEmpty() || rules(name, AdmissionCheck.PROVISIONING_REQUEST).isEmpty());
  }

  /** {@return the admission checks of a queue with a given controller} */
  private List<AdmissionCheckRule> rules(String queue, String controller) {
    return queue(queue).admissionChecks().stream()
        .filter(rule -> checks.containsKey(rule.name())
            && checks.get(rule.name()).controllerName().equals(controller))
        .toList();
  }

  private static boolean concerns(AdmissionCheckRule rule, String flavor) {
    return rule.onFlavors().isEmpty() || rule.onFlavors().contains(flavor);
  }

  /** T-76. */
  boolean delaysPlaces(String queue, String flavor) {
    return !rules(queue, AdmissionCheck.MULTI_KUEUE).isEmpty()
        || rules(queue, AdmissionCheck.PROVISIONING_REQUEST).stream()
            .anyMatch(rule -> concerns(rule, flavor));
  }

  /** L-6. */
  Set<String> requiredChecks(String queue, Optional<Admission> admission) {
    Set<String> assigned = new TreeSet<>();
    admission.ifPresent(held -> held.podSetAssignments()
        .forEach(podSet -> assigned.addAll(podSet.flavors().values())));
    Set<String> required = new TreeSet<>();
    for (AdmissionCheckRule rule : queue(queue).admissionChecks()) {
      boolean isRequired = rule.onFlavors().isEmpty()
          || (admission.isPresent()
              ? rule.onFlavors().stream().anyMatch(assigned::contains)
              : rule.onFlavors().containsAll(flavorsOf(queue)));
      if (isRequired) {
        required.add(rule.name());
      }
    }
    return required;
  }

  private boolean knowsTopologyOf(String flavor) {
    return !hasTopology(flavor)
        || flavor(flavor)
            .flatMap(ResourceFlavor::topologyName)
            .flatMap(this::topology)
            .isPresent();
  }

  /** M-22, M-23. */
  long effectivePriority(Workload workload) {
    long base = workload
        .priorityClass()
        .flatMap(name -> Optional.ofNullable(priorityClasses.get(name)))
        .map(WorkloadPriorityClass::value)
        .orElse(workload.priority());
    return isEnabled(FeatureGate.PRIORITY_BOOST) ? base + workload.priorityBoost() : base;
  }

  /** {@return the group of the queue that covers a resource} */
  Optional<ResourceGroup> groupOf(String queue, String resource) {
    return queue(queue).resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(resource))
        .findFirst();
  }

  /**
   * {@return the name of the root cohort above a cohort; in a cycle of cohorts, which may exist in
   * the middle of a change, the first of them by name}
   */
  String rootOf(String cohort) {
    Set<String> path = new LinkedHashSet<>();
    String root = cohort;
    while (path.add(root)) {
      Optional<String> parent = cohort(root).flatMap(Cohort::parent);
      if (parent.isEmpty()) {
        return root;
      }
      root = parent.get();
    }
    String joined = root;
    return path.stream()
        .dropWhile(name -> !name.equals(joined))
        .min(Comparator.naturalOrder())
        .orElse(joined);
  }

  /** {@return the names of all queues below the root above a cohort} */
  List<String> queuesAround(String cohort) {
    String root = rootOf(cohort);
    return queues.values().stream()
        .filter(
            queue -> queue.cohort().filter(name -> rootOf(name).equals(root)).isPresent())
        .map(ClusterQueue::name)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the names of the queue and all other queues of its tree} */
  List<String> treeOf(String queue) {
    return queue(queue).cohort().map(this::queuesAround).orElse(ImmutableList.of(queue));
  }
}
