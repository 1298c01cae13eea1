package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Adapts an {@link AdmissionEngine} to the harness. Each call delegates to the engine's call of the
 * same name; exceptions are passed on.
 *
 * <pre>{@code
 * EngineUnderTest.Factory factory = AdmissionEngineUnderTest::create;
 * }</pre>
 */
public final class AdmissionEngineUnderTest implements EngineUnderTest {
  private final AdmissionEngine engine;

  private AdmissionEngineUnderTest(AdmissionEngine engine) {
    this.engine = engine;
  }

  /** {@return an adapter for {@code engine}; both can be used side by side} */
  public static AdmissionEngineUnderTest of(AdmissionEngine engine) {
    return new AdmissionEngineUnderTest(engine);
  }

  /**
   * {@return an adapter for a new engine without configuration}
   *
   * @param settings its settings
   * @param clock the source of its time
   */
  public static AdmissionEngineUnderTest create(Settings settings, InstantSource clock) {
    return of(AdmissionEngine.builder().settings(settings).clock(clock).build());
  }

  /**
   * {@return an adapter like {@link #create}, whose engine checks itself after each call}
   *
   * @param settings its settings
   * @param clock the source of its time
   */
  public static AdmissionEngineUnderTest asserting(Settings settings, InstantSource clock) {
    return of(AdmissionEngine.builder()
        .settings(settings)
        .clock(clock)
        .assertions(AssertionMode.FULL)
        .build());
  }

  @Override
  public void apply(List<ConfigObject> objects) {
    engine.apply(objects);
  }

  @Override
  public boolean remove(Class<? extends ConfigObject> kind, String name) {
    boolean known = engine.view().configuration(kind, name).isPresent();
    engine.remove(kind, name);
    return known;
  }

  @Override
  public boolean submit(Workload workload) {
    return isTaken(engine.submit(workload).result());
  }

  @Override
  public boolean update(Workload workload) {
    return isTaken(engine.update(workload).result());
  }

  private static boolean isTaken(AdmissionResult result) {
    return !(result instanceof AdmissionResult.Rejected);
  }

  @Override
  public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
    return engine
        .tryAdmit(workload, new TryAdmitOptions(evictVictims))
        .result()
        .match(
            admitted -> WorkloadDecision.admitted(admitted.admission()),
            reserved -> WorkloadDecision.admitted(reserved.admission()),
            preempting ->
                WorkloadDecision.preempting(preempting.workload(), evictions(preempting.victims())),
            pending -> WorkloadDecision.pending(pending.workload()),
            rejected -> WorkloadDecision.rejected(rejected.workload()));
  }

  @Override
  public CycleDecisions runCycle() {
    Decisions result = engine.runCycle();
    return new CycleDecisions(
        Stream.concat(result.admitted().stream(), result.reserved().stream())
            .collect(toImmutableList()),
        evictions(result.preempted()),
        result.pending().stream()
            .map(AdmissionResult::workload)
            .collect(toImmutableSortedSet(Comparator.naturalOrder())),
        ImmutableList.copyOf(result.replaced()),
        result.evicted().stream()
            .filter(eviction -> eviction.reason() == EvictionReason.NODE_FAILURES)
            .map(io.kueue4j.core.decision.Eviction::workload)
            .collect(toImmutableSortedSet(Comparator.naturalOrder())));
  }

  private static ImmutableList<ObservedPreemption> evictions(List<PreemptionVictim> victims) {
    return victims.stream()
        .map(victim ->
            new ObservedPreemption(victim.workload(), victim.preemptor(), victim.reason()))
        .collect(toImmutableList());
  }

  @Override
  public boolean finish(WorkloadId workload) {
    return !engine.finish(workload).removed().isEmpty();
  }

  @Override
  public boolean delete(WorkloadId workload) {
    return !engine.delete(workload).removed().isEmpty();
  }

  @Override
  public boolean release(WorkloadId workload) {
    return !engine.release(workload).removed().isEmpty();
  }

  @Override
  public boolean podsStopped(WorkloadId workload) {
    boolean evicted = engine.isStopping(workload);
    engine.podsStopped(workload);
    return evicted;
  }

  @Override
  public boolean admissionRecorded(WorkloadId workload) {
    engine.lifecycle().admissionRecorded(workload);
    return engine.admission(workload).isPresent();
  }

  @Override
  public boolean nodeFailed(WorkloadId workload, String host) {
    return !engine.lifecycle().nodeFailed(workload, host).evicted().isEmpty();
  }

  @Override
  public boolean nodeRecovered(WorkloadId workload, String host) {
    boolean failed = engine.lifecycle().status(workload).unhealthyNodes().contains(host);
    engine.lifecycle().nodeRecovered(workload, host);
    return failed;
  }

  @Override
  public void restore(Workload workload, Admission admission) {
    engine.lifecycle().restore(workload, admission);
  }

  @Override
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    engine.lifecycle().restore(workload, admission, preempted);
  }

  @Override
  public void restoreWaiting(Workload workload, Instant requeueAt) {
    WorkloadStatus status = WorkloadStatus.builder().requeueAt(requeueAt).build();
    engine.lifecycle().restore(workload, Optional.empty(), status);
  }

  @Override
  public void setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    engine.lifecycle().setPreemptionGate(workload, gate, open);
  }

  @Override
  public void setCheck(WorkloadId workload, AdmissionCheckState check) {
    engine.lifecycle().setCheck(workload, check);
  }

  @Override
  public boolean setReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) {
    return isTaken(engine.lifecycle().setReclaimablePods(workload, pods).result());
  }

  @Override
  public void setPodsReady(WorkloadId workload, boolean ready) {
    engine.lifecycle().setPodsReady(workload, ready);
  }

  @Override
  public void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    engine.restoreConsumedUsage(namespace, localQueue, usage);
  }

  @Override
  public Observation observe() {
    EngineView view = engine.view();
    return new Observation(
        view.clusterQueues().stream()
            .collect(toImmutableSortedMap(
                Comparator.naturalOrder(), ClusterQueueView::name, AdmissionEngineUnderTest::of)),
        view.localQueues().stream()
            .filter(queue -> queue.fairSharingUsage().isPresent())
            .collect(toImmutableSortedMap(
                Comparator.naturalOrder(),
                queue -> queue.spec().namespace() + "/" + queue.spec().name(),
                queue -> new LocalQueueObservation(
                    queue.consumed(), queue.fairSharingUsage().getAsDouble()))));
  }

  private static QueueObservation of(ClusterQueueView queue) {
    return new QueueObservation(
        queue.isActive(),
        usage(queue.usage()),
        queue.admitted().stream()
            .map(Admission::workload)
            .collect(toImmutableSortedSet(Comparator.naturalOrder())),
        ImmutableSortedSet.copyOf(queue.stopping()),
        ImmutableSortedSet.copyOf(queue.reserving()),
        ImmutableList.copyOf(queue.pending()),
        ImmutableList.copyOf(queue.inadmissible()));
  }

  /** Omits unused pairs: an engine lists its quotas, a model only what it has counted. */
  private static ImmutableSortedMap<String, Long> usage(List<QuotaUsage> usage) {
    return usage.stream()
        .filter(each -> each.used() != 0)
        .collect(toImmutableSortedMap(
            Comparator.naturalOrder(),
            each -> each.flavor() + "/" + each.resource(),
            QuotaUsage::used));
  }

  @Override
  public String toString() {
    return engine.toString();
  }
}
