package io.kueue4j.core.internal.state;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.SetMultimap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Inactivity;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.FlavorTable;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration objects in force, except ClusterQueues and Cohorts, which the forest keeps.
 *
 * <p>Rules: M-12, M-20, M-22, M-23, U-11, U-22, U-24, T-4.
 */
public final class Configuration {
  private final FlavorTable flavors;
  private final Inventories inventories;
  private final Fleets fleets;
  private final Settings settings;
  private final boolean boostsPriority;
  private final Journal journal;
  private Map<String, LocalQueue> localQueues = new HashMap<>();

  /** The keys of the LocalQueues by the ClusterQueue that they refer to. */
  private SetMultimap<String, String> keysByClusterQueue = HashMultimap.create();

  /** The namespaces of LocalQueues, with the number of LocalQueues in each. */
  private Multiset<String> namespacesOfLocalQueues = HashMultiset.create();

  private Map<String, Namespace> namespaces = new HashMap<>();

  /** The namespaces that were never applied and exist because of a LocalQueue. */
  private Set<String> impliedNamespaces = new HashSet<>();

  private Map<String, WorkloadPriorityClass> priorityClasses = new HashMap<>();
  private Map<String, AdmissionCheck> admissionChecks = new HashMap<>();

  /** Whether a fork shares the maps, so that they must be copied before a change. */
  private boolean shared;

  Configuration(
      FlavorTable flavors,
      Inventories inventories,
      Fleets fleets,
      Settings settings,
      Journal journal) {
    this.journal = journal;
    this.flavors = flavors;
    this.inventories = inventories;
    this.fleets = fleets;
    this.settings = settings;
    this.boostsPriority = settings.isEnabled(FeatureGate.PRIORITY_BOOST);
  }

  /** {@return a fork of this configuration; changes to either are not visible in the other} */
  Configuration fork(Journal journalOfFork) {
    Configuration fork = new Configuration(
        flavors.fork(), inventories.fork(), fleets.fork(), settings, journalOfFork);
    fork.localQueues = localQueues;
    fork.keysByClusterQueue = keysByClusterQueue;
    fork.namespacesOfLocalQueues = namespacesOfLocalQueues;
    fork.namespaces = namespaces;
    fork.impliedNamespaces = impliedNamespaces;
    fork.priorityClasses = priorityClasses;
    fork.admissionChecks = admissionChecks;
    fork.shared = true;
    if (!shared) {
      // Written once, so that several threads may fork an unchanging configuration.
      shared = true;
    }
    return fork;
  }

  private void beforeChange() {
    if (shared) {
      localQueues = new HashMap<>(localQueues);
      keysByClusterQueue = HashMultimap.create(keysByClusterQueue);
      namespacesOfLocalQueues = HashMultiset.create(namespacesOfLocalQueues);
      namespaces = new HashMap<>(namespaces);
      impliedNamespaces = new HashSet<>(impliedNamespaces);
      priorityClasses = new HashMap<>(priorityClasses);
      admissionChecks = new HashMap<>(admissionChecks);
      shared = false;
    }
  }

  public static String localQueueKey(String namespace, String name) {
    return namespace + "/" + name;
  }

  public static String localQueueKey(LocalQueue queue) {
    return localQueueKey(queue.namespace(), queue.name());
  }

  public Inventories inventories() {
    return inventories;
  }

  public Fleets fleets() {
    return fleets;
  }

  public FlavorTable flavors() {
    return flavors;
  }

  public void put(ResourceFlavor flavor) {
    keep(flavors.flavor(flavor.name()), this::put, () -> removeFlavor(flavor.name()));
    flavors.put(flavor);
    if (topologyOf(flavor).isPresent()) {
      inventories.put(flavor);
    } else {
      inventories.removeFlavor(flavor.name());
    }
    fleets.put(flavor);
  }

  public void put(Topology topology) {
    String name = topology.name();
    keep(inventories.topology(name), inventories::put, () -> inventories.removeTopology(name));
    inventories.put(topology);
  }

  /** {@return whether a topology of that name existed and was removed} */
  @CanIgnoreReturnValue
  public boolean removeTopology(String name) {
    Optional<Topology> known = inventories.topology(name);
    known.ifPresent(topology -> {
      journal.add(() -> inventories.put(topology));
      inventories.removeTopology(name);
    });
    return known.isPresent();
  }

  public void put(Node node) {
    String name = node.name();
    keep(inventories.node(name), inventories::put, () -> inventories.removeNode(name));
    inventories.put(node);
  }

  /** {@return whether a node of that name existed and was removed} */
  @CanIgnoreReturnValue
  public boolean removeNode(String name) {
    Optional<Node> known = inventories.node(name);
    known.ifPresent(node -> {
      journal.add(() -> inventories.put(node));
      inventories.removeNode(name);
    });
    return known.isPresent();
  }

  public void put(TpuPoolSet pools) {
    String name = pools.name();
    keep(poolSet(name), fleets::put, () -> fleets.removePoolSet(name));
    fleets.put(pools);
  }

  /** {@return whether a pool set of that name existed and was removed} */
  @CanIgnoreReturnValue
  public boolean removePoolSet(String name) {
    Optional<TpuPoolSet> known = poolSet(name);
    known.ifPresent(pools -> {
      journal.add(() -> fleets.put(pools));
      fleets.removePoolSet(name);
    });
    return known.isPresent();
  }

  private Optional<TpuPoolSet> poolSet(String name) {
    return Optional.ofNullable(fleets.poolSets().get(name));
  }

  /** {@return the topology by which pods are placed on the nodes of a flavor, if enabled} */
  public Optional<String> topologyOf(ResourceFlavor flavor) {
    return settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        ? flavor.topologyName()
        : Optional.empty();
  }

  /** Records the current object, or its absence, to be restored if the call fails. */
  private <T> void keep(Optional<T> before, Consumer<T> put, Runnable remove) {
    journal.add(() -> before.ifPresentOrElse(put, remove));
  }

  public void removeFlavor(String name) {
    keep(flavors.flavor(name), this::put, () -> removeFlavor(name));
    flavors.remove(name);
    inventories.removeFlavor(name);
    fleets.removeFlavor(name);
  }

  public void put(LocalQueue queue) {
    String key = localQueueKey(queue);
    LocalQueue before = localQueues.get(key);
    if (before == null) {
      countNamespace(queue.namespace(), 1);
    } else {
      setLeading(before.clusterQueue(), key, false);
    }
    set(() -> localQueues, key, queue);
    setLeading(queue.clusterQueue(), key, true);
  }

  public void put(Namespace namespace) {
    set(() -> namespaces, namespace.name(), namespace);
    setImplied(namespace.name(), false);
  }

  /**
   * Puts an object into a map, or removes it if null.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  private <T> boolean set(Supplier<Map<String, T>> map, String name, @Nullable T object) {
    beforeChange();
    T before = object == null ? map.get().remove(name) : map.get().put(name, object);
    journal.add(() -> set(map, name, before));
    return before != null;
  }

  /** Records whether the LocalQueue of a key refers to a ClusterQueue. */
  private void setLeading(String clusterQueue, String key, boolean leads) {
    beforeChange();
    if (leads
        ? keysByClusterQueue.put(clusterQueue, key)
        : keysByClusterQueue.remove(clusterQueue, key)) {
      journal.add(() -> setLeading(clusterQueue, key, !leads));
    }
  }

  /** Adjusts the number of LocalQueues of a namespace by one. */
  private void countNamespace(String namespace, int change) {
    beforeChange();
    namespacesOfLocalQueues.setCount(namespace, namespacesOfLocalQueues.count(namespace) + change);
    journal.add(() -> countNamespace(namespace, -change));
  }

  private void setImplied(String namespace, boolean implied) {
    beforeChange();
    if (implied ? impliedNamespaces.add(namespace) : impliedNamespaces.remove(namespace)) {
      journal.add(() -> setImplied(namespace, !implied));
    }
  }

  /** Adds a namespace that exists while it contains a LocalQueue. */
  public void implyNamespace(String name) {
    put(Namespace.of(name));
    setImplied(name, true);
  }

  public void put(WorkloadPriorityClass priorityClass) {
    set(() -> priorityClasses, priorityClass.name(), priorityClass);
  }

  public void put(AdmissionCheck check) {
    set(() -> admissionChecks, check.name(), check);
  }

  public boolean removeAdmissionCheck(String name) {
    return set(() -> admissionChecks, name, null);
  }

  Optional<AdmissionCheck> admissionCheck(String name) {
    return Optional.ofNullable(admissionChecks.get(name));
  }

  /**
   * {@return whether pods of a queue on a flavor are placed only after their quota was reserved}
   */
  public boolean delaysPlacement(ClusterQueue queue, String flavor) {
    return !queue.admissionChecks().isEmpty()
        && new AdmissionCheckRules(queue, this::admissionCheck).delaysPlacement(flavor);
  }

  public boolean removeLocalQueue(String key) {
    LocalQueue removed = localQueues.get(key);
    if (removed == null) {
      return false;
    }
    String namespace = removed.namespace();
    set(() -> localQueues, key, null);
    setLeading(removed.clusterQueue(), key, false);
    countNamespace(namespace, -1);
    if (impliedNamespaces.contains(namespace) && !namespacesOfLocalQueues.contains(namespace)) {
      removeNamespace(namespace);
    }
    return true;
  }

  public boolean removeNamespace(String name) {
    setImplied(name, false);
    return set(() -> namespaces, name, null);
  }

  public boolean removePriorityClass(String name) {
    return set(() -> priorityClasses, name, null);
  }

  public Optional<LocalQueue> localQueue(String key) {
    return Optional.ofNullable(localQueues.get(key));
  }

  /** {@return all LocalQueues, in no particular order} */
  public Collection<LocalQueue> localQueues() {
    return localQueues.values();
  }

  /** {@return the LocalQueue if it exists and is not stopped} */
  public Optional<LocalQueue> openLocalQueue(String key) {
    return localQueue(key).filter(queue -> queue.stopPolicy() == StopPolicy.NONE);
  }

  /** {@return the keys of the LocalQueues that refer to a ClusterQueue} */
  public List<String> localQueuesOf(String clusterQueue) {
    return keysByClusterQueue.get(clusterQueue).stream().sorted().toList();
  }

  /** {@return all namespaces, applied or implied by a LocalQueue, in no particular order} */
  public Collection<Namespace> namespaces() {
    return namespaces.values();
  }

  /** {@return all WorkloadPriorityClasses, in no particular order} */
  public Collection<WorkloadPriorityClass> priorityClasses() {
    return priorityClasses.values();
  }

  /** {@return all AdmissionChecks, in no particular order} */
  public Collection<AdmissionCheck> admissionChecks() {
    return admissionChecks.values();
  }

  public boolean hasNamespace(String name) {
    return namespaces.containsKey(name);
  }

  /** {@return the labels of a namespace, none if it does not exist} */
  public Map<String, String> namespaceLabels(String name) {
    Namespace known = namespaces.get(name);
    return known == null ? Map.of() : known.labels();
  }

  public boolean mayUse(ClusterQueue queue, String namespace) {
    Namespace known = namespaces.get(namespace);
    return known != null
        && queue.namespaceSelector().isPresent()
        && queue.namespaceSelector().get().matches(known.labels());
  }

  public long effectivePriority(Workload workload) {
    WorkloadPriorityClass named = workload.priorityClass().isPresent()
        ? priorityClasses.get(workload.priorityClass().get())
        : null;
    long base = named == null ? workload.priority() : named.value();
    return boostsPriority ? base + workload.priorityBoost() : base;
  }

  /** {@return whether priority boosts are enabled} */
  public boolean boostsPriority() {
    return boostsPriority;
  }

  /** {@return the effective priority that a workload was compiled with, less its boost} */
  private long unboostedPriority(CompiledWorkload workload) {
    return boostsPriority
        ? workload.priority() - workload.source().priorityBoost()
        : workload.priority();
  }

  /**
   * {@return whether the spec of a workload differs, and not only its metadata and status; rule
   * U-11}
   *
   * <p>A changed priority class value changes the spec (M-23); a priority boost is an annotation
   * and does not.
   */
  boolean changesSpec(CompiledWorkload before, CompiledWorkload after) {
    Workload old = before.source();
    Workload changed = after.source();
    return !old.podSets().equals(changed.podSets())
        || !old.queueName().equals(changed.queueName())
        || old.active() != changed.active()
        || old.priority() != changed.priority()
        || !old.priorityClass().equals(changed.priorityClass())
        || unboostedPriority(before) != unboostedPriority(after);
  }

  /** {@return whether the queue has quota for a flavor} */
  public static boolean uses(ClusterQueue queue, String flavor) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .anyMatch(quotas -> quotas.flavor().equals(flavor));
  }

  /** {@return the first reason why a queue is inactive, empty if it is active} */
  public Optional<String> inactivity(ClusterQueue queue) {
    return inactivities(queue).stream().findFirst().map(Inactivity::toString);
  }

  /** {@return every reason why a queue is inactive, in the order of rule M-12} */
  public ImmutableList<Inactivity> inactivities(ClusterQueue queue) {
    ImmutableList.Builder<Inactivity> found = ImmutableList.builder();
    queue
        .outage()
        .ifPresent(outage -> found.add(new Inactivity(outage.reason(), outage.message())));
    if (queue.stopPolicy() != StopPolicy.NONE) {
      found.add(new Inactivity(
          "Stopped",
          "ClusterQueue " + queue.name() + " has the stop policy " + queue.stopPolicy()));
    }
    queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(quotas -> quotas.flavor())
        .filter(name -> flavors.flavor(name).isEmpty())
        .forEach(name -> found.add(new Inactivity(
            "FlavorNotFound",
            "ClusterQueue " + queue.name() + " names the ResourceFlavor " + name
                + ", which does not exist")));
    AdmissionCheckRules checks = new AdmissionCheckRules(queue, this::admissionCheck);
    found.addAll(checks.inactivities());
    if (!checks.hasMultiKueue()) {
      queue.resourceGroups().stream()
          .flatMap(group -> group.flavors().stream())
          .flatMap(quotas -> flavors.flavor(quotas.flavor()).stream())
          .forEach(flavor -> missingPlaces(flavor).ifPresent(found::add));
    }
    return found.build();
  }

  /** {@return the reason that a topology or pool set of a flavor does not exist, if so} */
  private Optional<Inactivity> missingPlaces(ResourceFlavor flavor) {
    Optional<Inactivity> topology = topologyOf(flavor)
        .filter(name -> inventories.topology(name).isEmpty())
        .map(name -> new Inactivity(
            "TopologyNotFound",
            "there is no Topology \"" + name + "\" for TAS flavor \"" + flavor.name() + "\""));
    return topology.or(() -> flavor
        .tpuPoolSet()
        .filter(name -> !fleets.poolSets().containsKey(name))
        .map(name -> new Inactivity(
            "TpuPoolSetNotFound",
            "there is no TpuPoolSet \"" + name + "\" for flavor \"" + flavor.name() + "\"")));
  }
}
