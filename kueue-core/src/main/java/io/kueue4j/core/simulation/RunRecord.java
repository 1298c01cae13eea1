package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import io.kueue4j.core.simulation.StepFunction.Steps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run leaves behind beside the states of its jobs: the log of events, and quotas, usage and
 * queue lengths over time. A run that is one of many samples leaves nothing.
 */
final class RunRecord {
  private static final int NO_NAME = -1;

  /** Quota of a resource in a flavor, of a ClusterQueue or of those that share it. */
  private record Key(String owner, String flavor, String resource) {}

  private record Cell(Steps nominal, Steps used) {}

  /** Usage that the end of an admission takes back. */
  private record Use(Steps used, long amount) {}

  private static final Comparator<Key> BY_NAME =
      Comparator.comparing(Key::owner).thenComparing(Key::flavor).thenComparing(Key::resource);

  private final SimulationEngine clock;
  private final boolean complete;
  private final EventLog log = new EventLog();
  private final Map<Key, Cell> cells = new HashMap<>();
  private final Map<String, Steps> waiting = new HashMap<>();
  private final Map<WorkloadId, List<Use>> uses = new HashMap<>();

  /** The queues in force; null before the first call of {@link #configure}. */
  private @Nullable QueueRelations relations;

  /** Creates a record, which stays empty unless it is to be complete. */
  RunRecord(SimulationEngine clock, boolean complete) {
    this.clock = clock;
    this.complete = complete;
  }

  // ----- events

  EventLog log() {
    return log;
  }

  void add(EventKind kind, int job, int detail) {
    if (complete) {
      log.add(clock.nowMillis(), kind, job, detail);
    }
  }

  /** {@return the id of a name as a detail of events; negative if names are not recorded} */
  int id(String name) {
    return complete ? log.id(name) : NO_NAME;
  }

  /** {@return the same, without a search if the name still has the id {@code last}} */
  int id(String name, int last) {
    return last >= 0 && log.name(last).equals(name) ? last : id(name);
  }

  /** {@return the id of the ClusterQueue of a LocalQueue; negative if there is none} */
  int clusterQueue(String localQueue) {
    String queue = relations == null ? null : relations.clusterQueue(localQueue);
    return queue == null ? NO_NAME : log.id(queue);
  }

  /** {@return the id of the flavors of an admission, joined by {@code +}} */
  int flavors(Admission admission) {
    return complete ? log.id(String.join("+", admission.flavors())) : NO_NAME;
  }

  // ----- quotas

  /** Records the quotas that are in force from now on. */
  void configure() {
    if (!complete) {
      return;
    }
    EngineView view = clock.engine().view();
    Set<Key> declared = new HashSet<>();
    for (ClusterQueue queue : view.configuration(ClusterQueue.class)) {
      waiting.computeIfAbsent(queue.name(), unused -> new Steps());
      for (ResourceGroup group : queue.resourceGroups()) {
        for (FlavorQuotas flavor : group.flavors()) {
          for (ResourceQuota quota : flavor.resources()) {
            Key key = new Key(queue.name(), flavor.flavor(), quota.resource());
            declared.add(key);
            cell(key).nominal.set(clock.nowMillis(), quota.nominalQuota());
          }
        }
      }
    }
    Maps.filterKeys(cells, key -> !declared.contains(key))
        .values()
        .forEach(cell -> cell.nominal.set(clock.nowMillis(), 0));
    relations = new QueueRelations(view);
  }

  /** Records a workload that holds quota at the start. */
  void holdsAtStart(HoldingWorkload holder) {
    for (HeldQuota held : holder.held()) {
      use(holder.admission(), held.flavor(), held.resource(), held.amount());
    }
  }

  /** Records that a workload holds the quota of an admission. */
  void hold(Admission admission) {
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      for (Map.Entry<String, Long> used : assignment.resourceUsage().entrySet()) {
        String flavor = assignment.flavors().get(used.getKey());
        if (flavor != null) {
          use(admission, flavor, used.getKey(), used.getValue());
        }
      }
    }
  }

  /** Records that the quota that a workload holds is free. */
  void release(WorkloadId workload) {
    List<Use> held = uses.remove(workload);
    if (held != null) {
      held.forEach(use -> use.used.add(clock.nowMillis(), -use.amount));
    }
  }

  private void use(Admission admission, String flavor, String resource, long amount) {
    if (complete && amount != 0) {
      Steps used = cell(new Key(admission.clusterQueue(), flavor, resource)).used;
      used.add(clock.nowMillis(), amount);
      uses.computeIfAbsent(admission.workload(), unused -> new ArrayList<>(2))
          .add(new Use(used, amount));
    }
  }

  private Cell cell(Key key) {
    return cells.computeIfAbsent(key, unused -> new Cell(new Steps(), new Steps()));
  }

  /** Records that the number of workloads that wait in a ClusterQueue changes. */
  void changeWaiting(int clusterQueue, int delta) {
    if (clusterQueue >= 0) {
      waiting
          .computeIfAbsent(log.name(clusterQueue), unused -> new Steps())
          .add(clock.nowMillis(), delta);
    }
  }

  /** {@return how many workloads waited in each ClusterQueue} */
  ImmutableSortedMap<String, StepFunction> queueLengths() {
    ImmutableSortedMap.Builder<String, StepFunction> lengths = ImmutableSortedMap.naturalOrder();
    waiting.forEach((queue, steps) -> lengths.put(queue, steps.toFunction()));
    return lengths.build();
  }

  /** {@return quota and usage by ClusterQueue, flavor and resource, in the order of these names} */
  ImmutableList<QuotaSeries> series() {
    Map<Key, QuotaSeries.Sharing> sharings = new HashMap<>();
    ImmutableList.Builder<QuotaSeries> series = ImmutableList.builder();
    ImmutableSortedMap.copyOf(cells, BY_NAME).forEach((key, cell) -> {
      String owner = relations == null ? key.owner : relations.owner(key.owner);
      QuotaSeries.Sharing sharing = sharings.computeIfAbsent(
          new Key(owner, key.flavor, key.resource),
          unused -> new QuotaSeries.Sharing(new ArrayList<>()));
      QuotaSeries each = ImmutableQuotaSeries.builder()
          .clusterQueue(key.owner)
          .flavor(key.flavor)
          .resource(key.resource)
          .nominal(cell.nominal.toFunction())
          .used(cell.used.toFunction())
          .sharing(sharing)
          .build();
      sharing.series().add(each);
      series.add(each);
    });
    return series.build();
  }
}
