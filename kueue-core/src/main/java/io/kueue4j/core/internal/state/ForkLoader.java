package io.kueue4j.core.internal.state;

import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;

/**
 * Copies parts of the original state into a fork when the fork first needs them. The look-ups of a
 * state request the parts that they need.
 */
public interface ForkLoader {
  /** Loads nothing, for states that are not forks. */
  ForkLoader NONE = new ForkLoader() {
    @Override
    public void takeTreeOfQueue(String clusterQueue) {}

    @Override
    public void takeTreeOfCohort(String cohort) {}

    @Override
    public void takePartOf(WorkloadId workload) {}

    @Override
    public void takeTrees() {}

    @Override
    public void takeTreesWithWork() {}

    @Override
    public void takeBackingOff() {}

    @Override
    public void takeOutside() {}

    @Override
    public void takeFor(List<ConfigObject> objects) {}

    @Override
    public void takeAll() {}
  };

  /** Loads the tree that a ClusterQueue is in. */
  void takeTreeOfQueue(String clusterQueue);

  /** Loads the tree that a cohort is in. */
  void takeTreeOfCohort(String cohort);

  /** Loads the part that a workload belongs to. */
  void takePartOf(WorkloadId workload);

  /** Loads all trees, without the pending workloads of their ClusterQueues. */
  void takeTrees();

  /** Loads the trees that have work for a cycle. */
  void takeTreesWithWork();

  /** Loads the pending workloads of the ClusterQueues with workloads whose backoff will end. */
  void takeBackingOff();

  /** Loads the workloads without quota and ClusterQueue. */
  void takeOutside();

  /** Loads everything that a change by {@code objects} reads or writes. */
  void takeFor(List<ConfigObject> objects);

  /** Loads everything. */
  void takeAll();
}
