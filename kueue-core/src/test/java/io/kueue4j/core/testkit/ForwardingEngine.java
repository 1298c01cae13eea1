package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;

/** An engine that passes every call on; planted bugs override some. */
class ForwardingEngine implements EngineUnderTest {
  final EngineUnderTest right;

  ForwardingEngine(EngineUnderTest right) {
    this.right = right;
  }

  @Override
  public void apply(List<ConfigObject> objects) {
    right.apply(objects);
  }

  @Override
  public boolean remove(Class<? extends ConfigObject> kind, String name) {
    return right.remove(kind, name);
  }

  @Override
  public boolean submit(Workload workload) {
    return right.submit(workload);
  }

  @Override
  public boolean update(Workload workload) {
    return right.update(workload);
  }

  @Override
  public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
    return right.tryAdmit(workload, evictVictims);
  }

  @Override
  public CycleDecisions runCycle() {
    return right.runCycle();
  }

  @Override
  public boolean finish(WorkloadId workload) {
    return right.finish(workload);
  }

  @Override
  public boolean delete(WorkloadId workload) {
    return right.delete(workload);
  }

  @Override
  public boolean release(WorkloadId workload) {
    return right.release(workload);
  }

  @Override
  public boolean podsStopped(WorkloadId workload) {
    return right.podsStopped(workload);
  }

  @Override
  public boolean admissionRecorded(WorkloadId workload) {
    return right.admissionRecorded(workload);
  }

  @Override
  public boolean nodeFailed(WorkloadId workload, String host) {
    return right.nodeFailed(workload, host);
  }

  @Override
  public boolean nodeRecovered(WorkloadId workload, String host) {
    return right.nodeRecovered(workload, host);
  }

  @Override
  public void restore(Workload workload, Admission admission) {
    right.restore(workload, admission);
  }

  @Override
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    right.restore(workload, admission, preempted);
  }

  @Override
  public void setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    right.setPreemptionGate(workload, gate, open);
  }

  @Override
  public void setCheck(WorkloadId workload, AdmissionCheckState check) {
    right.setCheck(workload, check);
  }

  @Override
  public void setPodsReady(WorkloadId workload, boolean ready) {
    right.setPodsReady(workload, ready);
  }

  @Override
  public void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    right.restoreConsumedUsage(namespace, localQueue, usage);
  }

  @Override
  public Observation observe() {
    return right.observe();
  }
}
