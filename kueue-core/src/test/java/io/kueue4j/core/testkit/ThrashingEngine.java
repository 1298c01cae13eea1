package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** An engine that tells whom it admits in a cycle to stop at once, for the last that had to. */
final class ThrashingEngine extends ForwardingEngine {
  private final Map<WorkloadId, Workload> workloads = new TreeMap<>();
  private final Set<WorkloadId> evicted = new TreeSet<>();
  private WorkloadId last = WorkloadId.of("none", "none");

  ThrashingEngine(EngineUnderTest right) {
    super(right);
  }

  @Override
  public boolean submit(Workload workload) {
    workloads.put(workload.id(), workload);
    return super.submit(workload);
  }

  @Override
  public CycleDecisions runCycle() {
    CycleDecisions decisions = super.runCycle();
    ImmutableList.Builder<ObservedPreemption> evictions =
        ImmutableList.<ObservedPreemption>builder().addAll(decisions.evictions());
    for (Admission admission : decisions.admitted()) {
      WorkloadId victim = admission.workload();
      if (workloads.containsKey(victim) && !victim.equals(last)) {
        evictions.add(new ObservedPreemption(victim, last, PreemptionReason.IN_CLUSTER_QUEUE));
        evicted.add(victim);
        last = victim;
      }
    }
    return new CycleDecisions(decisions.admitted(), evictions.build(), decisions.waiting());
  }

  @Override
  public boolean podsStopped(WorkloadId id) {
    if (!evicted.remove(id)) {
      return super.podsStopped(id);
    }
    Workload workload = workloads.get(id);
    return super.release(id) && workload != null && super.submit(workload);
  }

  @Override
  public Observation observe() {
    return new Observation(ImmutableSortedMap.copyOfSorted(
        Maps.transformValues(super.observe().clusterQueues(), this::withTold)));
  }

  private QueueObservation withTold(QueueObservation queue) {
    return new QueueObservation(
        queue.active(),
        queue.usage(),
        queue.holding(),
        ImmutableSortedSet.copyOf(
            Sets.union(queue.stopping(), Sets.intersection(queue.holding(), evicted))),
        queue.pending(),
        queue.inadmissible());
  }
}
