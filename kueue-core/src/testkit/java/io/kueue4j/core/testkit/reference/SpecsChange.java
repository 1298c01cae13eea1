package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A change of the specs, and its consequences for pending workloads.
 *
 * <p>Rules: M-15, M-19, M-20, M-23, Q-20, U-17, X-12.
 */
final class SpecsChange {
  private final State state;
  private final Specs specs;
  private final Instant now;
  private final Map<String, Boolean> activeBefore = new TreeMap<>();
  private final Set<String> events = new LinkedHashSet<>();
  private final Set<String> cohortsWithEvents = new LinkedHashSet<>();
  private final List<io.kueue4j.core.model.Node> changedNodes = new ArrayList<>();

  SpecsChange(State state, Instant now) {
    this.state = state;
    this.specs = state.specs;
    this.now = now;
    state.deliverEvents(now);
    specs.queues().forEach(queue -> activeBefore.put(queue.name(), specs.isActive(queue.name())));
  }

  void apply(List<ConfigObject> objects) {
    for (ConfigObject object : objects) {
      if (object instanceof ResourceFlavor flavor) {
        put(flavor);
      } else if (object instanceof ClusterQueue queue) {
        put(queue);
      } else if (object instanceof Cohort cohort) {
        put(cohort);
      } else if (object instanceof LocalQueue queue) {
        put(queue);
      } else if (object instanceof Namespace namespace) {
        changeNamespace(namespace.name(), () -> specs.put(namespace));
      } else if (object instanceof WorkloadPriorityClass priorityClass) {
        put(priorityClass);
      } else if (object instanceof Topology topology) {
        specs.put(topology);
      } else if (object instanceof AdmissionCheck check) {
        specs.put(check);
      } else if (object instanceof io.kueue4j.core.model.Node node) {
        put(node);
      }
    }
    finish();
  }

  void removeQueue(String name) {
    List<String> tree = specs.treeOf(name);
    state.removeQueue(name);
    state.recompute(tree);
    finish();
  }

  void removeCohort(String name) {
    List<String> before = specs.queuesAround(name);
    specs.removeCohort(name);
    recompute(before, specs.queuesAround(name));
    finish();
  }

  boolean removeNamespace(String name) {
    boolean known = specs.removeNamespace(name);
    finish();
    return known;
  }

  boolean removeLocalQueue(String namespace, String name) {
    boolean known = specs.removeLocalQueue(namespace, name);
    finish();
    return known;
  }

  boolean removeFlavor(String name) {
    boolean known = specs.removeFlavor(name);
    finish();
    return known;
  }

  boolean removeTopology(String name) {
    boolean known = specs.removeTopology(name);
    finish();
    return known;
  }

  boolean removeNode(String name) {
    specs.node(name).ifPresent(changedNodes::add);
    boolean known = specs.removeNode(name);
    finish();
    return known;
  }

  boolean removeCheck(String name) {
    boolean known = specs.removeCheck(name);
    finish();
    return known;
  }

  boolean removePriorityClass(String name) {
    boolean known = specs.hasPriorityClass(name);
    reprioritize(name, () -> specs.removePriorityClass(name));
    finish();
    return known;
  }

  /** U-17: 7. */
  private void put(ResourceFlavor flavor) {
    Optional<ResourceFlavor> old = specs.flavor(flavor.name());
    specs.put(flavor);
    if (old.isPresent() && !old.get().equals(flavor)) {
      events.addAll(specs.queuesWithFlavor(flavor.name()));
    }
  }

  private void put(io.kueue4j.core.model.Node node) {
    Optional<io.kueue4j.core.model.Node> old = specs.node(node.name());
    if (!old.equals(Optional.of(node))) {
      old.ifPresent(changedNodes::add);
      changedNodes.add(node);
    }
    specs.put(node);
  }

  /** U-17: 9. */
  private void note(io.kueue4j.core.model.Node changed) {
    boolean byFlavor = specs.settings().includes(KueueFix.NODE_EVENTS_BY_FLAVOR);
    specs.queues().stream()
        .map(ClusterQueue::name)
        .filter(queue -> specs.flavorsOf(queue).stream()
            .anyMatch(flavor -> specs.hasTopology(flavor) && (!byFlavor || isOf(flavor, changed))))
        .forEach(events::add);
  }

  private boolean isOf(String flavor, io.kueue4j.core.model.Node node) {
    ResourceFlavor known = specs.flavor(flavor).orElseThrow();
    return known
        .topologyName()
        .flatMap(specs::topology)
        .filter(topology -> node.labels().keySet().containsAll(topology.levels())
            && node.labels().entrySet().containsAll(known.nodeLabels().entrySet()))
        .isPresent();
  }

  /** U-17: 4; Q-20. */
  private void put(ClusterQueue queue) {
    Optional<ClusterQueue> old =
        specs.hasQueue(queue.name()) ? Optional.of(specs.queue(queue.name())) : Optional.empty();
    List<String> before = old.isPresent() ? specs.treeOf(queue.name()) : ImmutableList.of();
    state.put(queue);
    if (old.isEmpty() || !hasSameQuota(old.get(), queue)) {
      recompute(before, specs.treeOf(queue.name()));
    }
    events.add(queue.name());
  }

  /** the order of flavors matters, the order of covered resources does not. */
  private static boolean hasSameQuota(ClusterQueue a, ClusterQueue b) {
    return a.cohort().equals(b.cohort())
        && Node.quotas(a.resourceGroups()).equals(Node.quotas(b.resourceGroups()))
        && groups(a).equals(groups(b));
  }

  private record Group(Set<String> resources, List<String> flavors) {}

  private static List<Group> groups(ClusterQueue queue) {
    return queue.resourceGroups().stream().map(SpecsChange::group).toList();
  }

  private static Group group(ResourceGroup group) {
    return new Group(
        ImmutableSet.copyOf(group.coveredResources()),
        group.flavors().stream().map(quotas -> quotas.flavor()).toList());
  }

  /** U-17: 5; Q-20. */
  private void put(Cohort cohort) {
    List<String> before = specs.queuesAround(cohort.name());
    specs.put(cohort);
    recompute(before, specs.queuesAround(cohort.name()));
    cohortsWithEvents.add(cohort.name());
  }

  private void recompute(List<String> before, List<String> after) {
    state.recompute(ImmutableSet.<String>builder().addAll(before).addAll(after).build());
  }

  /** A namespace exists as soon as it has a LocalQueue. */
  private void put(LocalQueue queue) {
    if (!specs.hasNamespace(queue.namespace())) {
      changeNamespace(queue.namespace(), () -> specs.implyNamespace(queue.namespace()));
    }
    specs.put(queue);
  }

  /** U-17: 8. */
  private void changeNamespace(String name, Runnable change) {
    Set<String> before = queuesFor(name);
    change.run();
    Set<String> after = queuesFor(name);
    after.removeAll(before);
    events.addAll(after);
  }

  private Set<String> queuesFor(String namespace) {
    Set<String> queues = new LinkedHashSet<>();
    for (ClusterQueue queue : specs.queues()) {
      if (specs.mayUse(queue.name(), namespace)) {
        queues.add(queue.name());
      }
    }
    return queues;
  }

  private void put(WorkloadPriorityClass priorityClass) {
    reprioritize(priorityClass.name(), () -> specs.put(priorityClass));
  }

  /** M-23, U-17: 3, U-17a. */
  private void reprioritize(String priorityClass, Runnable change) {
    Map<Job, Long> before = new LinkedHashMap<>();
    state.jobs().stream()
        .filter(job -> job.workload().priorityClass().equals(Optional.of(priorityClass)))
        .forEach(job -> before.put(job, job.priority()));
    change.run();
    before.forEach((job, priority) -> {
      if (priority != job.priority()) {
        job.specGeneration++;
        state.lookAgain(job, now);
        if (job.admission().isPresent()) {
          state.queueOfEvent(job).ifPresent(events::add);
        }
      }
    });
  }

  /** Applies the consequences once all objects are in place. */
  private void finish() {
    state.usage.followSpecs(now, state.jobs());
    for (ClusterQueue queue : specs.queues()) {
      if (specs.isActive(queue.name()) && !activeBefore.getOrDefault(queue.name(), false)) {
        events.add(queue.name());
      }
    }
    changedNodes.forEach(this::note);
    state.jobs().forEach(state::bring);
    Lives lives = new Lives(state, now);
    state.jobs().forEach(lives::follow);
    events.forEach(state::noteEvent);
    cohortsWithEvents.forEach(
        cohort -> specs.queuesAround(cohort).stream().findFirst().ifPresent(state::noteEvent));
    state.deliverEvents(now);
  }
}
