package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.state.WorkloadStore;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A change of the configuration, which is validated first: changes all objects, then applies their
 * combined consequences. For a single change.
 *
 * <p>Rules: M-4, M-12, M-15, M-19, M-20, M-23, U-15, U-17, PS-13.
 */
public final class ConfigurationChange {
  private final EngineParts parts;
  private final EngineState state;
  private final Instant now;

  /** Queues with a requeue event. */
  private final Set<QueueState> woken = new LinkedHashSet<>();

  private final Set<String> wokenCohorts = new LinkedHashSet<>();
  private final Set<String> changedLocalQueues = new LinkedHashSet<>();

  /** LocalQueues whose usage may be counted differently from now on. */
  private final Set<String> followed = new LinkedHashSet<>();

  private final Set<QueueState> changedQueues = new LinkedHashSet<>();

  /** Workloads whose queues require other checks, or were stopped or resumed. */
  private final Set<WorkloadRecord> concerned = new LinkedHashSet<>();

  private final List<CapacityWindow> changedWindows = new ArrayList<>();
  private final List<ChangedNamespace> namespaces = new ArrayList<>();

  /** The nodes that changed, as they were and as they are. */
  private final List<Node> changedNodes = new ArrayList<>();

  /** The labels of a namespace before a change, null if there was none, and after it. */
  private record ChangedNamespace(@Nullable Map<String, String> before, Map<String, String> after) {
    /** {@return whether a selector matches it now and did not match it before} */
    boolean isNewTo(LabelSelector selector) {
      return selector.matches(after) && (before == null || !selector.matches(before));
    }
  }

  ConfigurationChange(EngineParts parts, Instant now) {
    this.parts = parts;
    this.state = parts.state;
    this.now = now;
  }

  /**
   * {@return the objects as a list}
   *
   * @throws NullPointerException if one of them is null; it says which one
   */
  public static ImmutableList<ConfigObject> copyOf(Iterable<? extends ConfigObject> objects) {
    ImmutableList.Builder<ConfigObject> batch = ImmutableList.builder();
    int index = 0;
    for (ConfigObject object : objects) {
      batch.add(checkNotNull(
          object, "the object at index %s is null; expected a configuration object", index));
      index++;
    }
    return batch.build();
  }

  /**
   * Adds or replaces objects, all or none of them.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if one of them is invalid or
   *     contradicts another one
   */
  public Decisions apply(List<ConfigObject> objects) {
    commit(new ConfigurationChecker(state, now).validate(objects));
    return state.announcements().takeDecisions();
  }

  /**
   * Removes objects, all or none of them, and skips those that do not exist.
   *
   * @throws IllegalStateException if a remaining object or workload needs one of them
   */
  public Decisions remove(Collection<ConfigKind.Key> keys) {
    commitRemoval(new ConfigurationChecker(state, now).validateRemoval(keys));
    return state.announcements().takeDecisions();
  }

  /**
   * Takes a ClusterQueue out of service, or puts it back.
   *
   * @throws IllegalArgumentException if it does not exist
   */
  public Decisions setOutage(String clusterQueue, Optional<Inactivity> outage) {
    QueueState queue = state
        .queue(clusterQueue)
        .orElseThrow(() -> new IllegalArgumentException(
            "there is no ClusterQueue " + clusterQueue + "; apply it first"));
    if (!state.configuration().outage(clusterQueue).equals(outage)) {
      begin();
      state.configuration().setOutage(clusterQueue, outage);
      changedQueues.add(queue);
      finish();
    }
    return state.announcements().takeDecisions();
  }

  private void begin() {
    state.deliverEvents(now);
    state.queueStore().beginChange();
  }

  /** Adds or replaces objects, which have been validated. */
  private void commit(List<ConfigObject> objects) {
    begin();
    for (ConfigObject object : objects) {
      if (object instanceof CapacityWindow window) {
        changedWindows.add(window);
      } else if (object instanceof ResourceFlavor flavor) {
        put(flavor);
      } else if (object instanceof Topology topology) {
        set(topology);
        changedQueues.addAll(queuesUsingTopology(topology.name()));
      } else if (object instanceof TpuPoolSet pools) {
        put(pools);
      } else if (object instanceof Node node) {
        put(node);
      } else if (object instanceof ClusterQueue queue) {
        put(queue);
      } else if (object instanceof Cohort cohort) {
        state.queueStore().put(cohort);
        wokenCohorts.add(cohort.name());
      } else if (object instanceof LocalQueue queue) {
        put(queue);
      } else if (object instanceof AdmissionCheck check) {
        set(check);
        changedQueues.addAll(queuesChecking(check.name()));
      } else if (object instanceof Namespace namespace) {
        changeNamespace(namespace.name(), () -> set(namespace));
      } else if (object instanceof WorkloadPriorityClass priorityClass) {
        set(priorityClass);
        reprioritize(priorityClass.name());
      }
    }
    finish();
  }

  /** Removes objects, which have been validated, each before those that it depends on. */
  private void commitRemoval(List<ConfigKind.Key> inOrder) {
    begin();
    boolean changes = false;
    for (ConfigKind.Key key : inOrder) {
      changes |= remove(key);
    }
    if (changes) {
      finish();
    }
  }

  /**
   * Removes an object.
   *
   * @return whether there was one
   */
  private boolean remove(ConfigKind.Key key) {
    Configuration configuration = state.configuration();
    String name = key.name();
    switch (key.kind()) {
      case CLUSTER_QUEUE -> {
        return removeQueue(name);
      }
      case COHORT -> {
        return state.queueStore().removeCohort(name);
      }
      case WORKLOAD_PRIORITY_CLASS -> {
        boolean known = configuration.set(key, null);
        reprioritize(name);
        return known;
      }
      case CAPACITY_WINDOW -> configuration.windows().get(name).ifPresent(state.events()::note);
      case LOCAL_QUEUE -> changedLocalQueues.add(name);
      case TOPOLOGY -> changedQueues.addAll(queuesUsingTopology(name));
      case TPU_POOL_SET -> changedQueues.addAll(queuesUsingPoolSet(name));
      case NODE -> state.inventories().node(name).ifPresent(changedNodes::add);
      case ADMISSION_CHECK -> changedQueues.addAll(queuesChecking(name));
      case RESOURCE_FLAVOR, NAMESPACE -> {
        // No ClusterQueue names the flavor, and no queue admits more without the namespace.
      }
    }
    return configuration.set(key, null);
  }

  /**
   * Removes a ClusterQueue whose quota no workload holds.
   *
   * @return whether there was one
   */
  private boolean removeQueue(String name) {
    Optional<QueueState> known = state.queue(name);
    if (known.isEmpty()) {
      return false;
    }
    QueueState queue = known.get();
    List<WorkloadRecord> queued =
        state.pending().in(queue).stream().sorted(WorkloadStore.BY_ID).toList();
    queued.forEach(state.pending()::unqueue);
    concernWorkloadsOf(queue);
    state.queueStore().remove(queue);
    state.configuration().setOutage(name, Optional.empty());
    queued.forEach(record -> state.pending().enqueue(record, now));
    followed.addAll(state.configuration().localQueuesOf(name));
    return true;
  }

  private void set(ConfigObject object) {
    state.configuration().set(ConfigKind.Key.of(object), object);
  }

  private void put(ResourceFlavor flavor) {
    Optional<ResourceFlavor> old = state.configuration().flavors().flavor(flavor.name());
    set(flavor);
    if (!old.equals(Optional.of(flavor))) {
      List<QueueState> users = queuesUsing(flavor::equals);
      changedQueues.addAll(users);
      if (old.isPresent()) {
        woken.addAll(users);
      }
    }
  }

  private void put(Node node) {
    Optional<Node> old = state.inventories().node(node.name());
    if (!old.equals(Optional.of(node))) {
      old.ifPresent(changedNodes::add);
      changedNodes.add(node);
      set(node);
    }
  }

  /** Sets a window, when its ClusterQueue is in force. */
  private void put(CapacityWindow window) {
    state.configuration().windows().get(window.name()).ifPresent(state.events()::note);
    set(window);
    state.events().note(window);
    parts.windows.changed(window, now);
  }

  private List<QueueState> queuesChecking(String check) {
    return state.queues().stream()
        .filter(queue ->
            queue.spec().admissionChecks().stream().anyMatch(rule -> rule.name().equals(check)))
        .toList();
  }

  private void put(TpuPoolSet pools) {
    set(pools);
    List<QueueState> users = queuesUsingPoolSet(pools.name());
    changedQueues.addAll(users);
    if (state.fleets().isChanged()) {
      woken.addAll(users);
    }
  }

  private List<QueueState> queuesUsingTopology(String name) {
    return queuesUsing(
        flavor -> state.configuration().topologyOf(flavor).equals(Optional.of(name)));
  }

  private List<QueueState> queuesUsingPoolSet(String name) {
    return queuesUsing(flavor -> flavor.tpuPoolSet().equals(Optional.of(name)));
  }

  private List<QueueState> queuesUsing(Predicate<ResourceFlavor> flavors) {
    return state.queues().stream()
        .filter(queue -> queue.spec().flavors().stream()
            .flatMap(name -> state.configuration().flavors().flavor(name).stream())
            .anyMatch(flavors))
        .toList();
  }

  private void put(ClusterQueue spec) {
    Optional<ClusterQueue> old = state.queue(spec.name()).map(QueueState::spec);
    if (old.isPresent() && changesLives(old.get(), spec)) {
      concernWorkloadsOf(state.queue(spec.name()).orElseThrow());
    }
    if (old.isPresent() && old.get().admissionMode() != spec.admissionMode()) {
      followed.addAll(state.configuration().localQueuesOf(spec.name()));
    }
    QueueState queue = state.queueStore().put(spec);
    woken.add(queue);
    changedQueues.add(queue);
    if (old.isEmpty()) {
      state.configuration().localQueuesOf(spec.name()).forEach(changedLocalQueues::add);
    }
  }

  /**
   * Adds the workloads that hold quota of a ClusterQueue, and all workloads of its LocalQueues: the
   * checks also apply to workloads that may not be queued.
   */
  private void concernWorkloadsOf(QueueState queue) {
    concerned.addAll(state.workloads().reserving(queue));
    state
        .configuration()
        .localQueuesOf(queue.name())
        .forEach(key -> concerned.addAll(state.workloads().ofLocalQueue(key)));
  }

  /**
   * {@return whether the stop policy or the admission checks change, which affects not only pending
   * workloads}
   */
  private static boolean changesLives(ClusterQueue old, ClusterQueue changed) {
    return old.stopPolicy() != changed.stopPolicy()
        || !old.admissionChecks().equals(changed.admissionChecks())
        || (!changed.admissionChecks().isEmpty()
            && !old.resourceGroups().equals(changed.resourceGroups()));
  }

  private void put(LocalQueue queue) {
    if (!state.configuration().hasNamespace(queue.namespace())) {
      changeNamespace(
          queue.namespace(), () -> state.configuration().implyNamespace(queue.namespace()));
    }
    set(queue);
    changedLocalQueues.add(queue.qualifiedName());
  }

  private void changeNamespace(String name, Runnable change) {
    Map<String, String> before = state.configuration().hasNamespace(name)
        ? state.configuration().namespaceLabels(name)
        : null;
    change.run();
    namespaces.add(new ChangedNamespace(before, state.configuration().namespaceLabels(name)));
  }

  /**
   * Wakes the queues whose selectors match a namespace now and did not match it before. Each
   * distinct selector is evaluated once, and queues without waiting workloads are skipped.
   */
  private void wakeForNamespaces() {
    if (namespaces.isEmpty()) {
      return;
    }
    Map<LabelSelector, Boolean> takesMore = new HashMap<>();
    for (QueueState queue : state.queues()) {
      Optional<LabelSelector> selector = queue.spec().namespaceSelector();
      if (selector.isPresent()
          && queue.quota().tree().layout().isWatched()
          && takesMore.computeIfAbsent(
              selector.get(),
              known -> namespaces.stream().anyMatch(changed -> changed.isNewTo(known)))) {
        woken.add(queue);
      }
    }
  }

  /** Wakes the queues with flavors that changed nodes belong to, or all those with topologies. */
  private void wakeForNodes() {
    if (changedNodes.isEmpty()) {
      return;
    }
    boolean byFlavor = state.settings().includes(KueueFix.NODE_EVENTS_BY_FLAVOR);
    Map<String, Boolean> isConcerned = new HashMap<>();
    queuesUsing(flavor -> isConcerned.computeIfAbsent(
            flavor.name(),
            unused -> byFlavor
                ? changedNodes.stream().anyMatch(node -> isOf(flavor, node))
                : state.configuration().topologyOf(flavor).isPresent()))
        .forEach(woken::add);
  }

  private boolean isOf(ResourceFlavor flavor, Node node) {
    return state
        .configuration()
        .topologyOf(flavor)
        .flatMap(state.inventories()::topology)
        .filter(topology -> Inventory.hasLabels(node, topology, flavor))
        .isPresent();
  }

  private void reprioritize(String priorityClass) {
    for (WorkloadRecord record : state.workloads().ofPriorityClass(priorityClass)) {
      long priority = state.configuration().effectivePriority(record.workload());
      if (priority != record.compiled().priority()) {
        state.change(record, record.workload(), now);
        if (record.reservation() != null) {
          state.events().queueOf(record).ifPresent(woken::add);
        }
      }
    }
  }

  private void finish() {
    state.queueStore().rebuild();
    wakeForNodes();
    changedWindows.forEach(this::put);
    updateActivity();
    followed.addAll(changedLocalQueues);
    followed.forEach(key -> state.fairness().follow(key, now));
    for (String key : changedLocalQueues) {
      for (WorkloadRecord record : state.workloads().ofLocalQueue(key)) {
        relocate(record);
        concerned.add(record);
      }
    }
    concerned.stream().sorted(WorkloadStore.BY_ID).forEach(this::live);
    changedQueues.forEach(state.variants()::queueChanged);
    parts.settlement.settle(now);
    wakeForNamespaces();
    woken.forEach(state.events()::note);
    state.queueStore().queueOfEachTree(wokenCohorts).forEach(state.events()::note);
    state.deliverEvents(now);
  }

  /** Adapts a workload to the checks and stop policies of its queues. */
  private void live(WorkloadRecord record) {
    parts.lifecycles.synchroniseChecks(record, now);
    parts.lifecycles.followStopPolicies(record, now);
    parts.lifecycles.reviewRequeued(record, now);
  }

  private void updateActivity() {
    for (QueueState queue : changedQueues) {
      boolean active = state.configuration().inactivity(queue.spec()).isEmpty();
      if (active && !queue.quota().isActive()) {
        woken.add(queue);
      }
      if (active != queue.quota().isActive()) {
        followed.addAll(state.configuration().localQueuesOf(queue.name()));
      }
      state.queueStore().setActive(queue, active);
    }
  }

  /** Moves a pending workload to the ClusterQueue of its LocalQueue. */
  private void relocate(WorkloadRecord record) {
    Optional<QueueState> target = state.pending().target(record);
    if (record.isPending() && !Optional.of(record.requireQueue()).equals(target)) {
      state.pending().unqueue(record);
    }
    state.pending().bring(record, now);
  }
}
