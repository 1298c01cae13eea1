package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.queue.QueueObserver;
import io.kueue4j.core.internal.quota.QueueQuota;

/**
 * Is notified before each elementary change of a state, so that snapshots can copy the affected
 * part. Only the stores of the state call it.
 */
public interface CopyOnWriteTracker {
  /** Ignores notifications, for states without snapshots. */
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
    public QueueObserver pendingObserver(String clusterQueue) {
      return () -> {};
    }
  };

  /** Is notified before a workload changes within its part. */
  void beforeChange(WorkloadRecord record);

  /** Is notified before a workload is added that is already in its part. */
  void beforeAdding(WorkloadRecord record);

  /** Is notified before a workload joins those without quota and ClusterQueue. */
  void beforeLeavingQueues();

  /** Is notified before a ClusterQueue or its tree changes, except its pending workloads. */
  void beforeChange(QueueQuota queue);

  /** Is notified before a change to undivided state, such as the usage of LocalQueues. */
  void beforeOtherChange();

  /** Is notified before the configuration changes. */
  void beforeConfigurationChange();

  /** {@return the observer of the pending workloads of a ClusterQueue} */
  QueueObserver pendingObserver(String clusterQueue);
}
