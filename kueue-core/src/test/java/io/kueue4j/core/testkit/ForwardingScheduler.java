package io.kueue4j.core.testkit;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;

/** A scheduler that passes the calls on that every engine must have. */
class ForwardingScheduler implements EngineUnderTest {
  final EngineUnderTest right;

  ForwardingScheduler(EngineUnderTest right) {
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
  public void restore(Workload workload, Admission admission) {
    right.restore(workload, admission);
  }

  @Override
  public Observation observe() {
    return right.observe();
  }
}
