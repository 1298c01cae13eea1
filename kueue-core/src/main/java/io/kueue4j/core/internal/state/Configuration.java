package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedMultimap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration objects in force, except ClusterQueues and Cohorts, which the forest keeps.
 *
 * <p>Rules: M-12, M-20, M-22, M-23, U-11, U-22, U-24, T-4.
 */
public final class Configuration {
  private final Settings settings;
  private final boolean boostsPriority;
  private final FlavorTable flavors;
  private final Inventories inventories;
  private final Fleets fleets;
  private final VersionedMap<String, LocalQueue> localQueues;

  /** The keys of the LocalQueues by the ClusterQueue that they refer to. */
  private final VersionedMultimap<String, String> keysByClusterQueue;

  /** The number of LocalQueues in each namespace that has any. */
  private final VersionedMap<String, Integer> localQueueCounts;

  private final VersionedMap<String, Namespace> namespaces;

  /** The namespaces that were never applied and exist because of a LocalQueue. */
  private final VersionedSet<String> impliedNamespaces;

  private final VersionedMap<String, WorkloadPriorityClass> priorityClasses;
  private final VersionedMap<String, AdmissionCheck> admissionChecks;
  private final CapacityWindows windows;

  /** Why ClusterQueues are out of service, by their names. */
  private final VersionedMap<String, Inactivity> outages;

  /** Creates an empty configuration. */
  Configuration(StateContext context) {
    Journal journal = context.journal();
    this.settings = context.settings();
    this.boostsPriority = settings.isEnabled(FeatureGate.PRIORITY_BOOST);
    this.flavors = new FlavorTable(journal);
    this.inventories = new Inventories(context.catalog(), settings, journal);
    this.fleets = new Fleets(journal);
    this.localQueues = new VersionedMap<>(journal);
    this.keysByClusterQueue = new VersionedMultimap<>(journal);
    this.localQueueCounts = new VersionedMap<>(journal);
    this.namespaces = new VersionedMap<>(journal);
    this.impliedNamespaces = VersionedSet.inNaturalOrder(journal);
    this.priorityClasses = new VersionedMap<>(journal);
    this.admissionChecks = new VersionedMap<>(journal);
    this.windows = new CapacityWindows(journal);
    this.outages = new VersionedMap<>(journal);
  }

  /** Takes the configuration of another state. */
  void share(Configuration origin) {
    flavors.share(origin.flavors);
    inventories.share(origin.inventories);
    fleets.share(origin.fleets);
    localQueues.share(origin.localQueues);
    keysByClusterQueue.share(origin.keysByClusterQueue);
    localQueueCounts.share(origin.localQueueCounts);
    namespaces.share(origin.namespaces);
    impliedNamespaces.share(origin.impliedNamespaces);
    priorityClasses.share(origin.priorityClasses);
    admissionChecks.share(origin.admissionChecks);
    windows.share(origin.windows);
    outages.share(origin.outages);
  }

  public static String localQueueKey(String namespace, String name) {
    return namespace + "/" + name;
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

  public CapacityWindows windows() {
    return windows;
  }

  /** {@return why the caller has taken a ClusterQueue out of service, empty if it has not} */
  public Optional<Inactivity> outage(String clusterQueue) {
    return Optional.ofNullable(outages.get(clusterQueue));
  }

  public void setOutage(String clusterQueue, Optional<Inactivity> outage) {
    outages.set(clusterQueue, outage.orElse(null));
  }

  // ----- changes

  /**
   * Sets an object of a kind that is kept here, null to remove it.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean set(ConfigKind.Key key, @Nullable ConfigObject object) {
    String name = key.name();
    return switch (key.kind()) {
      case CAPACITY_WINDOW -> windows.set(name, (CapacityWindow) object);
      case LOCAL_QUEUE -> set(name, (LocalQueue) object);
      case RESOURCE_FLAVOR -> set(name, (ResourceFlavor) object);
      case TOPOLOGY -> inventories.setTopology(name, (Topology) object);
      case TPU_POOL_SET -> fleets.setPoolSet(name, (TpuPoolSet) object);
      case NODE -> inventories.setNode(name, (Node) object);
      case ADMISSION_CHECK -> admissionChecks.set(name, (AdmissionCheck) object) != null;
      case WORKLOAD_PRIORITY_CLASS ->
        priorityClasses.set(name, (WorkloadPriorityClass) object) != null;
      case NAMESPACE -> {
        impliedNamespaces.remove(name);
        yield namespaces.set(name, (Namespace) object) != null;
      }
      case CLUSTER_QUEUE, COHORT -> throw new IllegalArgumentException(key + " is in the forest");
    };
  }

  private boolean set(String name, @Nullable ResourceFlavor flavor) {
    boolean isPlaced = flavor != null && topologyOf(flavor).isPresent();
    inventories.setFlavor(name, isPlaced ? flavor : null);
    fleets.setFlavor(name, flavor == null ? null : flavor.tpuPoolSet().orElse(null));
    if (flavor == null) {
      return flavors.remove(name);
    }
    flavors.put(flavor);
    return true;
  }

  private boolean set(String key, @Nullable LocalQueue queue) {
    LocalQueue before = localQueues.set(key, queue);
    if (before != null) {
      keysByClusterQueue.set(before.clusterQueue(), key, false);
      count(before, -1);
    }
    if (queue != null) {
      keysByClusterQueue.add(queue.clusterQueue(), key);
      count(queue, 1);
    } else if (before != null
        && localQueueCounts.get(before.namespace()) == null
        && impliedNamespaces.contains(before.namespace())) {
      set(new ConfigKind.Key(ConfigKind.NAMESPACE, before.namespace()), null);
    }
    return before != null;
  }

  private void count(LocalQueue queue, int change) {
    Integer known = localQueueCounts.get(queue.namespace());
    int count = (known == null ? 0 : known) + change;
    localQueueCounts.set(queue.namespace(), count == 0 ? null : count);
  }

  /** Adds a namespace that exists while it contains a LocalQueue. */
  public void implyNamespace(String name) {
    namespaces.set(name, Namespace.of(name));
    impliedNamespaces.add(name);
  }

  // ----- look-ups

  /** {@return the topology by which pods are placed on the nodes of a flavor, if enabled} */
  public Optional<String> topologyOf(ResourceFlavor flavor) {
    return settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        ? flavor.topologyName()
        : Optional.empty();
  }

  private Optional<AdmissionCheck> admissionCheck(String name) {
    return Optional.ofNullable(admissionChecks.get(name));
  }

  /**
   * {@return whether pods of a queue on a flavor are placed only after their quota was reserved}
   */
  public boolean delaysPlacement(ClusterQueue queue, String flavor) {
    return !queue.admissionChecks().isEmpty()
        && new AdmissionCheckRules(queue, this::admissionCheck).delaysPlacement(flavor);
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
    return namespaces.get(name) != null;
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
   * {@return whether the spec of a workload that may wait differs, and not only its metadata and
   * status; rule U-11}
   *
   * <p>A changed priority class value changes the spec (M-23); a priority boost is an annotation
   * and does not.
   */
  boolean changesSpec(CompiledWorkload before, CompiledWorkload after) {
    Workload old = before.source();
    Workload changed = after.source();
    return !old.podSets().equals(changed.podSets())
        || !old.queueName().equals(changed.queueName())
        || old.priority() != changed.priority()
        || !old.priorityClass().equals(changed.priorityClass())
        || unboostedPriority(before) != unboostedPriority(after);
  }

  /** {@return the first reason why a queue is inactive, empty if it is active} */
  public Optional<String> inactivity(ClusterQueue queue) {
    return inactivities(queue).stream().findFirst().map(Inactivity::toString);
  }

  /** {@return every reason why a queue is inactive, in the order of rule M-12} */
  public ImmutableList<Inactivity> inactivities(ClusterQueue queue) {
    ImmutableList.Builder<Inactivity> found = ImmutableList.builder();
    outage(queue.name()).ifPresent(found::add);
    if (queue.stopPolicy() != StopPolicy.NONE) {
      found.add(new Inactivity(
          "Stopped",
          "ClusterQueue " + queue.name() + " has the stop policy " + queue.stopPolicy()));
    }
    queue.flavors().stream()
        .filter(name -> flavors.flavor(name).isEmpty())
        .forEach(name -> found.add(new Inactivity(
            "FlavorNotFound",
            "ClusterQueue " + queue.name() + " names the ResourceFlavor " + name
                + ", which does not exist")));
    AdmissionCheckRules checks = new AdmissionCheckRules(queue, this::admissionCheck);
    found.addAll(checks.inactivities());
    if (!checks.hasMultiKueue()) {
      queue.flavors().stream()
          .flatMap(name -> flavors.flavor(name).stream())
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
        .filter(name -> !fleets.hasPoolSet(name))
        .map(name -> new Inactivity(
            "TpuPoolSetNotFound",
            "there is no TpuPoolSet \"" + name + "\" for flavor \"" + flavor.name() + "\"")));
  }
}
