package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.SortedMap;

/** An engine that passes every call on; planted bugs override some. */
class ForwardingEngine extends ForwardingScheduler {
  ForwardingEngine(EngineUnderTest right) {
    super(right);
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
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    right.restore(workload, admission, preempted);
  }

  @Override
  public void restoreWaiting(Workload workload, Instant requeueAt) {
    right.restoreWaiting(workload, requeueAt);
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
  public boolean setReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) {
    return right.setReclaimablePods(workload, pods);
  }

  @Override
  public void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    right.restoreConsumedUsage(namespace, localQueue, usage);
  }
}
