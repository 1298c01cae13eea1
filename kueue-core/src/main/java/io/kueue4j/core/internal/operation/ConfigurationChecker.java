package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Comparator.naturalOrder;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds all reasons why a set of objects cannot be applied to the configuration in force, and
 * whether objects can be removed.
 *
 * <p>Upstream accepts a cycle of cohorts and deactivates its queues (M-17, M-18); the engine
 * rejects it.
 *
 * <p>Rules: M-2, M-17, M-18, CA-1, T-1, T-2, TPU-F-22, PS-10, PS-11.
 */
final class ConfigurationChecker {
  /** The maximum number of cohorts of a cycle that a message lists. */
  private static final int MAX_NAMED = 20;

  private final EngineState state;
  private final Configuration configuration;
  private final Instant now;
  private final ImmutableList.Builder<Violation> violations = ImmutableList.builder();

  ConfigurationChecker(EngineState state, Instant now) {
    this.state = state;
    this.configuration = state.configuration();
    this.now = now;
  }

  /**
   * {@return the objects, which can be applied}
   *
   * @throws InvalidConfigurationException if they cannot
   */
  ImmutableList<ConfigObject> validate(List<ConfigObject> objects) {
    Set<String> keys = new HashSet<>();
    Map<String, Cohort> cohorts = new HashMap<>();
    Map<String, ClusterQueue> queues = new HashMap<>();
    for (ConfigObject object : objects) {
      violations.addAll(state.settings().violations(object));
      if (!keys.add(object.key())) {
        add(object, "", "given twice in one call; keep one");
      }
      if (object instanceof Cohort cohort) {
        cohorts.put(cohort.name(), cohort);
      } else if (object instanceof ResourceFlavor flavor) {
        checkKept(flavor, "topologyName", ResourceFlavor::topologyName);
        checkKept(flavor, "tpuPoolSet", ResourceFlavor::tpuPoolSet);
      } else if (object instanceof Topology topology) {
        checkLevelsKept(topology);
      } else if (object instanceof ClusterQueue queue) {
        checkPolicyKept(queue);
        queues.put(queue.name(), queue);
      }
    }
    for (ConfigObject object : objects) {
      if (object instanceof CapacityWindow window) {
        checkKeptQuota(window, queues);
      }
    }
    for (CapacityWindow window : configuration.windows().all()) {
      if (!keys.contains(window.key())) {
        checkQuotaStays(window, queues);
      }
    }
    checkHostsApart(objects);
    checkNoCycles(cohorts);
    ImmutableList<Violation> found = violations.build();
    if (!found.isEmpty()) {
      throw new InvalidConfigurationException(found);
    }
    return ImmutableList.copyOf(objects);
  }

  /** A window keeps quota that its ClusterQueue has, now or after this call. */
  private void checkKeptQuota(CapacityWindow window, Map<String, ClusterQueue> changed) {
    if (!keepsQuota(window)) {
      return;
    }
    String name = window.clusterQueue().orElseThrow();
    ClusterQueue queue = changed.containsKey(name)
        ? changed.get(name)
        : state.queue(name).map(QueueState::spec).orElse(null);
    if (queue == null) {
      add(window, "clusterQueue", "\"" + name + "\"; there is no such ClusterQueue");
      return;
    }
    for (int i = 0; i < window.amounts().size(); i++) {
      KeptAmount kept = window.amounts().get(i);
      if (!hasQuota(queue, kept)) {
        add(
            window,
            "amounts[" + i + "]",
            kept.resource() + " of " + kept.flavor() + "; ClusterQueue " + name
                + " has no such quota");
      }
    }
  }

  /** A ClusterQueue keeps having the quota that a window in force keeps. */
  private void checkQuotaStays(CapacityWindow window, Map<String, ClusterQueue> changed) {
    ClusterQueue queue = window.clusterQueue().map(changed::get).orElse(null);
    if (queue == null || !keepsQuota(window)) {
      return;
    }
    for (KeptAmount kept : window.amounts()) {
      if (!hasQuota(queue, kept)) {
        add(
            queue,
            "resourceGroups",
            "without " + kept.resource() + " of " + kept.flavor() + ", which " + window.key()
                + " keeps; change the window first");
      }
    }
  }

  /**
   * {@return whether a window needs quota of a ClusterQueue, which a window in the past does not}
   */
  private boolean keepsQuota(CapacityWindow window) {
    return window.clusterQueue().isPresent() && window.end().isAfter(now);
  }

  private static boolean hasQuota(ClusterQueue queue, KeptAmount kept) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .anyMatch(quotas -> quotas.flavor().equals(kept.flavor())
            && quotas.resources().stream()
                .anyMatch(quota -> quota.resource().equals(kept.resource())));
  }

  /** Workloads cannot follow a queue that begins or ceases to have variants. */
  private void checkPolicyKept(ClusterQueue queue) {
    Optional<ClusterQueue> old = state.queue(queue.name()).map(QueueState::spec);
    if (old.isPresent()
        && !old.get().concurrentAdmissionPolicy().equals(queue.concurrentAdmissionPolicy())) {
      addChange(
          queue,
          "concurrentAdmissionPolicy",
          text(old.get()),
          text(queue),
          "it cannot change, remove the queue first");
    }
  }

  private static String text(ClusterQueue queue) {
    return queue.concurrentAdmissionPolicy().map(Object::toString).orElse("none");
  }

  private void add(ConfigObject object, String field, String problem) {
    violations.add(new Violation(object.key(), field, problem));
  }

  private void addChange(
      ConfigObject object, String field, Object before, Object after, String rule) {
    add(object, field, "changed from " + before + " to " + after + "; " + rule);
  }

  private void checkKept(
      ResourceFlavor flavor, String field, Function<ResourceFlavor, Optional<String>> value) {
    Optional<String> old = configuration.flavors().flavor(flavor.name()).flatMap(value);
    Optional<String> changed = value.apply(flavor);
    if (old.isPresent() && !old.equals(changed)) {
      addChange(flavor, field, old.get(), changed.orElse("none"), "it cannot change once set");
    }
  }

  /** A host in two pool sets could be assigned twice. */
  private void checkHostsApart(List<ConfigObject> objects) {
    Map<String, TpuPoolSet> sets = new TreeMap<>();
    configuration.fleets().poolSets().forEach(set -> sets.put(set.name(), set));
    boolean changes = false;
    for (ConfigObject object : objects) {
      if (object instanceof TpuPoolSet set) {
        sets.put(set.name(), set);
        changes = true;
      }
    }
    Map<String, String> owners = new HashMap<>();
    for (TpuPoolSet set : changes ? sets.values() : List.<TpuPoolSet>of()) {
      for (TpuPool pool : set.fleet().pools()) {
        for (String node : pool.nodes()) {
          String owner = owners.putIfAbsent(node, set.name());
          if (owner != null && !owner.equals(set.name())) {
            add(
                set,
                "fleet",
                "node \"" + node + "\" is in TpuPoolSet " + owner + ", too; keep one");
          }
        }
      }
    }
  }

  private void checkLevelsKept(Topology topology) {
    Optional<Topology> old = configuration.inventories().topology(topology.name());
    if (old.isPresent()
        && !old.get().levels().equals(topology.levels())
        && !(old.get().endsInHosts() && topology.endsInHosts())) {
      addChange(
          topology,
          "levels",
          old.get().levels(),
          topology.levels(),
          "they can change only if " + Topology.HOSTNAME + " is the last level of both");
    }
  }

  /** Reports each cycle once, at the first of its cohorts that would change. */
  private void checkNoCycles(Map<String, Cohort> changed) {
    Set<String> checked = new HashSet<>();
    for (String start : ImmutableSortedSet.copyOf(changed.keySet())) {
      List<String> path = new ArrayList<>();
      Optional<String> next = Optional.of(start);
      while (next.isPresent() && checked.add(next.get())) {
        path.add(next.get());
        next = parent(next.get(), changed);
      }
      int first = next.map(path::indexOf).orElse(-1);
      if (first >= 0) {
        addCycle(path.subList(first, path.size()), changed.keySet());
      }
    }
  }

  private void addCycle(List<String> members, Set<String> changed) {
    String first =
        members.stream().filter(changed::contains).min(naturalOrder()).orElseThrow();
    List<String> path = new ArrayList<>(members);
    Collections.rotate(path, -path.indexOf(first));
    path.add(first);
    violations.add(new Violation(
        "Cohort " + first,
        "parent",
        "makes a cycle of cohorts: " + describe(path) + "; remove one parent"));
  }

  private static String describe(List<String> path) {
    int size = path.size();
    return size <= MAX_NAMED
        ? Joiner.on(" -> ").join(path)
        : Joiner.on(" -> ").join(path.subList(0, MAX_NAMED)) + " -> ... (" + (size - 1)
            + " cohorts)";
  }

  private Optional<String> parent(String cohort, Map<String, Cohort> changed) {
    Cohort above = changed.get(cohort);
    return above != null ? above.parent() : state.forest().cohort(cohort).flatMap(Cohort::parent);
  }

  // ----- removal

  /**
   * {@return the objects, which can be removed, each before those that it depends on}
   *
   * @throws IllegalStateException if a remaining object or workload needs one of them
   */
  ImmutableList<ConfigKind.Key> validateRemoval(Collection<ConfigKind.Key> keys) {
    ImmutableList<ConfigKind.Key> inOrder =
        ImmutableList.sortedCopyOf(ConfigKind.Key.REMOVAL_ORDER, keys);
    ImmutableSet<String> removedQueues = inOrder.stream()
        .filter(key -> key.kind() == ConfigKind.CLUSTER_QUEUE)
        .map(ConfigKind.Key::name)
        .collect(toImmutableSet());
    removedQueues.forEach(this::checkUnused);
    configuration.windows().all().stream()
        .filter(window -> !keys.contains(ConfigKind.Key.of(window)))
        .forEach(window -> checkNotKept(window, removedQueues));
    for (ConfigKind.Key key : inOrder) {
      if (key.kind() == ConfigKind.RESOURCE_FLAVOR) {
        checkUnnamed(key.name(), removedQueues);
      }
    }
    return inOrder;
  }

  private void checkUnused(String clusterQueue) {
    int holders = state
        .queue(clusterQueue)
        .map(queue -> state.workloads().reserving(queue).size())
        .orElse(0);
    if (holders > 0) {
      throw new IllegalStateException("ClusterQueue " + clusterQueue
          + " cannot be removed while its quota is held; finish or release the workloads that hold"
          + " it first: " + holders);
    }
  }

  private void checkNotKept(CapacityWindow window, ImmutableSet<String> removedQueues) {
    if (keepsQuota(window) && removedQueues.contains(window.clusterQueue().orElseThrow())) {
      throw new IllegalStateException("ClusterQueue " + window.clusterQueue().get()
          + " cannot be removed while " + window.key() + " keeps its quota; remove the window"
          + " first");
    }
  }

  private void checkUnnamed(String flavor, ImmutableSet<String> removedQueues) {
    state.queues().stream()
        .filter(queue -> !removedQueues.contains(queue.name()))
        .filter(queue -> queue.spec().flavors().contains(flavor))
        .findFirst()
        .ifPresent(queue -> {
          throw new IllegalStateException("ResourceFlavor " + flavor
              + " cannot be removed while ClusterQueue " + queue.name()
              + " names it; change the queue first");
        });
  }
}
