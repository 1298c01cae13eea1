package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionResult;
import io.kueue4j.core.ClusterQueueView;
import io.kueue4j.core.ConsumedUsage;
import io.kueue4j.core.Decisions;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.PreemptionVictim;
import io.kueue4j.core.QuotaUsage;
import io.kueue4j.core.Settings;
import io.kueue4j.core.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * An {@link AdmissionEngine} as the harness drives it. Each call goes to the engine's call of the
 * same name; what the engine throws is thrown on.
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

  /** {@return {@code engine} as the harness drives it; both can be used side by side} */
  public static AdmissionEngineUnderTest of(AdmissionEngine engine) {
    return new AdmissionEngineUnderTest(engine);
  }

  /**
   * {@return a new engine without configuration, as the harness drives it}
   *
   * @param settings its settings
   * @param clock where it reads the time
   */
  public static AdmissionEngineUnderTest create(Settings settings, InstantSource clock) {
    return of(AdmissionEngine.builder().settings(settings).clock(clock).build());
  }

  @Override
  public void apply(ImmutableList<ConfigObject> objects) {
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
    return isTaken(engine.submit(workload));
  }

  @Override
  public boolean update(Workload workload) {
    return isTaken(engine.update(workload));
  }

  private static boolean isTaken(AdmissionResult result) {
    return !(result instanceof AdmissionResult.Rejected);
  }

  @Override
  public Decision tryAdmit(Workload workload, boolean evictVictims) {
    return engine
        .tryAdmit(workload, new TryAdmitOptions(evictVictims))
        .match(
            admitted -> Decision.admitted(admitted.admission()),
            reserved -> Decision.admitted(reserved.admission()),
            preempting ->
                Decision.preempting(preempting.workload(), evictions(preempting.victims())),
            pending -> Decision.pending(pending.workload()),
            rejected -> Decision.rejected(rejected.workload()));
  }

  @Override
  public CycleDecisions runCycle() {
    // What happened before the cycle shows in observations.
    engine.takeDecisions();
    Decisions result = engine.runCycle();
    return new CycleDecisions(
        Stream.concat(result.admitted().stream(), result.reserved().stream())
            .collect(toImmutableList()),
        evictions(result.preempted()),
        result.pending().stream()
            .map(AdmissionResult::workload)
            .collect(toImmutableSortedSet(Comparator.naturalOrder())),
        result.replaced(),
        result.evicted().stream()
            .filter(eviction -> eviction.reason() == EvictionReason.NODE_FAILURES)
            .map(io.kueue4j.core.Eviction::workload)
            .collect(toImmutableSortedSet(Comparator.naturalOrder())));
  }

  private static ImmutableList<Eviction> evictions(ImmutableList<PreemptionVictim> victims) {
    return victims.stream()
        .map(victim -> new Eviction(victim.workload(), victim.preemptor(), victim.reason()))
        .collect(toImmutableList());
  }

  @Override
  public boolean finish(WorkloadId workload) {
    return engine.finish(workload);
  }

  @Override
  public boolean delete(WorkloadId workload) {
    return engine.delete(workload);
  }

  @Override
  public boolean release(WorkloadId workload) {
    return engine.release(workload);
  }

  @Override
  public boolean podsStopped(WorkloadId workload) {
    boolean evicted = engine.isStopping(workload);
    engine.podsStopped(workload);
    return evicted;
  }

  @Override
  public boolean admissionRecorded(WorkloadId workload) {
    return engine.admissionRecorded(workload);
  }

  @Override
  public boolean nodeFailed(WorkloadId workload, String host) {
    return !engine.nodeFailed(workload, host).evicted().isEmpty();
  }

  @Override
  public boolean nodeRecovered(WorkloadId workload, String host) {
    return engine.nodeRecovered(workload, host);
  }

  @Override
  public void restore(Workload workload, Admission admission) {
    engine.restore(workload, admission);
  }

  @Override
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    engine.restore(workload, admission, preempted);
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
        queue.pending(),
        queue.inadmissible());
  }

  /** Leaves out what is not in use: an engine lists its quotas, a model what it has counted. */
  private static ImmutableSortedMap<String, Long> usage(ImmutableList<QuotaUsage> usage) {
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
