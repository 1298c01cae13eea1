package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.HoldingWorkload;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.internal.simulation.Steps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records quota, usage and queue lengths over time. */
final class QuotaRecorder {
  /** Quota of a resource in a flavor, of a ClusterQueue or of those that share it. */
  private record Key(String owner, String flavor, String resource) {}

  private record Cell(String flavor, String resource, Steps nominal, Steps used) {}

  private static final Comparator<Cell> BY_NAME =
      Comparator.comparing(Cell::flavor).thenComparing(Cell::resource);

  /** The few cells of each ClusterQueue, which comparing finds sooner than hashing. */
  private final Map<String, List<Cell>> cells = new HashMap<>();

  private final Map<String, Steps> waiting = new HashMap<>();
  private final Map<WorkloadId, ImmutableList<HeldQuota>> heldAtStart = new HashMap<>();
  private final Map<String, String> clusterQueues = new HashMap<>();
  private Map<String, String> roots = Map.of();

  /** Records the quotas of a configuration that is in force from now on. */
  void configure(ConfigurationInForce configuration, long now) {
    Set<Cell> declared = new HashSet<>();
    for (ClusterQueue queue : configuration.all(ClusterQueue.class)) {
      waiting.computeIfAbsent(queue.name(), unused -> new Steps());
      for (ResourceGroup group : queue.resourceGroups()) {
        for (FlavorQuotas flavor : group.flavors()) {
          for (ResourceQuota quota : flavor.resources()) {
            Cell cell = cell(queue.name(), flavor.flavor(), quota.resource());
            declared.add(cell);
            cell.nominal.set(now, quota.nominalQuota());
          }
        }
      }
    }
    cells.values().stream()
        .flatMap(List::stream)
        .filter(cell -> !declared.contains(cell))
        .forEach(cell -> cell.nominal.set(now, 0));
    clusterQueues.clear();
    configuration
        .all(LocalQueue.class)
        .forEach(queue -> clusterQueues.put(queue.qualifiedName(), queue.clusterQueue()));
    roots = roots(configuration);
  }

  /** {@return the root cohort of each ClusterQueue that has one} */
  static Map<String, String> roots(ConfigurationInForce configuration) {
    Map<String, String> parents = new HashMap<>();
    configuration
        .all(Cohort.class)
        .forEach(cohort -> cohort.parent().ifPresent(parent -> parents.put(cohort.name(), parent)));
    Map<String, String> roots = new HashMap<>();
    for (ClusterQueue queue : configuration.all(ClusterQueue.class)) {
      queue.cohort().ifPresent(cohort -> {
        String root = cohort;
        // Cohorts in a circle have no root; any of them stands for all.
        Set<String> seen = new HashSet<>();
        while (parents.containsKey(root) && seen.add(root)) {
          root = parents.getOrDefault(root, root);
        }
        roots.put(queue.name(), root);
      });
    }
    return roots;
  }

  /** {@return the ClusterQueue of a LocalQueue by its qualified name, null if it is unknown} */
  @Nullable
  String clusterQueue(String localQueue) {
    return clusterQueues.get(localQueue);
  }

  /** Records a workload that holds quota at the start. */
  void holdsAtStart(HoldingWorkload holder, long now) {
    heldAtStart.put(holder.workload().id(), holder.held());
    for (HeldQuota held : holder.held()) {
      use(holder.admission().clusterQueue(), held.flavor(), held.resource(), held.amount(), now);
    }
  }

  /** Records that a workload holds the quota of an admission. */
  void hold(Admission admission, long now) {
    change(admission, 1, now);
  }

  /** Records that the quota of an admission is free. */
  void release(Admission admission, long now) {
    ImmutableList<HeldQuota> atStart =
        heldAtStart.isEmpty() ? null : heldAtStart.remove(admission.workload());
    if (atStart == null) {
      change(admission, -1, now);
    } else {
      for (HeldQuota held : atStart) {
        use(admission.clusterQueue(), held.flavor(), held.resource(), -held.amount(), now);
      }
    }
  }

  private void change(Admission admission, int sign, long now) {
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      for (Map.Entry<String, Long> used : assignment.resourceUsage().entrySet()) {
        String flavor = assignment.flavors().get(used.getKey());
        if (flavor != null) {
          use(admission.clusterQueue(), flavor, used.getKey(), sign * used.getValue(), now);
        }
      }
    }
  }

  private void use(String queue, String flavor, String resource, long amount, long now) {
    if (amount != 0) {
      cell(queue, flavor, resource).used.add(now, amount);
    }
  }

  private Cell cell(String queue, String flavor, String resource) {
    List<Cell> ofQueue = cells.computeIfAbsent(queue, unused -> new ArrayList<>());
    for (Cell cell : ofQueue) {
      if (cell.flavor.equals(flavor) && cell.resource.equals(resource)) {
        return cell;
      }
    }
    Cell added = new Cell(flavor, resource, new Steps(), new Steps());
    ofQueue.add(added);
    return added;
  }

  /** Records that the number of workloads that wait in a ClusterQueue changes. */
  void changeWaiting(@Nullable String clusterQueue, int delta, long now) {
    if (clusterQueue != null) {
      waiting.computeIfAbsent(clusterQueue, unused -> new Steps()).add(now, delta);
    }
  }

  /** {@return how many workloads waited in each ClusterQueue} */
  ImmutableSortedMap<String, StepFunction> queueLengths() {
    ImmutableSortedMap.Builder<String, StepFunction> lengths = ImmutableSortedMap.naturalOrder();
    waiting.forEach((queue, steps) -> lengths.put(queue, StepFunction.of(steps)));
    return lengths.build();
  }

  /** {@return quota and usage by ClusterQueue, flavor and resource, in the order of these names} */
  ImmutableList<QuotaSeries> series() {
    Map<Key, List<QuotaSeries>> sharing = new HashMap<>();
    ImmutableList.Builder<QuotaSeries> series = ImmutableList.builder();
    new TreeMap<>(cells).forEach((queue, ofQueue) -> {
      String root = roots.get(queue);
      // A ClusterQueue may have the name of a cohort.
      String owner = root == null ? "queue " + queue : "cohort " + root;
      ofQueue.stream().sorted(BY_NAME).forEach(cell -> {
        List<QuotaSeries> group = sharing.computeIfAbsent(
            new Key(owner, cell.flavor, cell.resource), unused -> new ArrayList<>());
        QuotaSeries each = new QuotaSeries(
            queue,
            cell.flavor,
            cell.resource,
            StepFunction.of(cell.nominal),
            StepFunction.of(cell.used),
            group);
        group.add(each);
        series.add(each);
      });
    });
    return series.build();
  }
}
