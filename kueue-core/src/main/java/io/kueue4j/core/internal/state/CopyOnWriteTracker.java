package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.quota.QueueQuota;

/**
 * Is notified before each elementary change of a state, so that snapshots keep what is about to
 * change. The stores of the state call it; their callers never do.
 */
public interface CopyOnWriteTracker {
  /** Is notified of nothing, for states that no snapshot reads. */
  CopyOnWriteTracker NONE = new CopyOnWriteTracker() {
    @Override
    public void beforeChange(WorkloadRecord record) {}

    @Override
    public void beforeAdding(WorkloadRecord record) {}

    @Override
    public void beforeLeavingQueues() {}

    @Override
    public void beforeChange(QueueQuota queue) {}

    @Override
    public void beforeOtherChange() {}

    @Override
    public void beforeConfigurationChange() {}

    @Override
    public Runnable pendingObserver(String clusterQueue) {
      return () -> {};
    }
  };

  /** Is notified before a workload changes, where it is. */
  void beforeChange(WorkloadRecord record);

  /** Is notified before a workload becomes known that is where it belongs already. */
  void beforeAdding(WorkloadRecord record);

  /** Is notified before a workload joins those that hold no quota and are in no ClusterQueue. */
  void beforeLeavingQueues();

  /** Is notified before a ClusterQueue or its tree changes, but for its pending workloads. */
  void beforeChange(QueueQuota queue);

  /** Is notified before a change of what is not divided, such as what LocalQueues have used. */
  void beforeOtherChange();

  /** Is notified before the configuration changes. */
  void beforeConfigurationChange();

  /** {@return what is called before the pending workloads of a ClusterQueue change} */
  Runnable pendingObserver(String clusterQueue);
}
