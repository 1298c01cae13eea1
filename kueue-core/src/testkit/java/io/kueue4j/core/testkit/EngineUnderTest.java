package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;

/**
 * The subject of the harness: an admission engine, or a controller around one. Each call is one
 * step; {@link #observe()} shows its result.
 *
 * <p>Each call corresponds to the one of {@link io.kueue4j.core.AdmissionEngine} with its name.
 * Time comes from the clock passed to the {@link Factory}.
 *
 * <p>Calls that only scenarios with one {@link Feature} need have a default that names the feature:
 * implement the call, or leave the feature out of the {@link ScenarioOptions}.
 */
public interface EngineUnderTest {

  /** Creates engines to test. */
  @FunctionalInterface
  interface Factory {
    /**
     * {@return an engine without configuration}
     *
     * @param settings its settings
     * @param clock the source of its time
     */
    EngineUnderTest create(Settings settings, InstantSource clock);
  }

  /**
   * Adds or replaces configuration objects, all of them or none.
   *
   * @throws InvalidConfigurationException if any rule is violated; the engine is then unchanged.
   *     {@link Settings#violations(ConfigObject)} has the rules for one object by itself
   */
  void apply(List<ConfigObject> objects);

  /**
   * Removes a configuration object.
   *
   * @param kind its kind
   * @param name its name, {@code namespace/name} of a LocalQueue
   * @return whether there was one
   * @throws IllegalStateException if workloads hold quota of the ClusterQueue, or a ClusterQueue
   *     names the ResourceFlavor; then nothing has changed
   */
  boolean remove(Class<? extends ConfigObject> kind, String name);

  /**
   * Queues a workload.
   *
   * @return whether it was accepted, false if it violates rules:
   *     {@link Settings#violations(Workload)}
   */
  boolean submit(Workload workload);

  /**
   * Replaces a workload by another version.
   *
   * @return whether the change was accepted
   */
  boolean update(Workload workload);

  /**
   * Decides on one workload now.
   *
   * @param workload the workload
   * @param evictVictims whether its victims are evicted at once
   */
  WorkloadDecision tryAdmit(Workload workload, boolean evictVictims);

  /** Runs one scheduling cycle. */
  CycleDecisions runCycle();

  /**
   * Reports that a workload has finished.
   *
   * @return whether it was known
   */
  boolean finish(WorkloadId workload);

  /**
   * Reports that a workload was deleted.
   *
   * @return whether it was known
   */
  boolean delete(WorkloadId workload);

  /**
   * Releases the quota of a workload.
   *
   * @return whether it held any
   */
  boolean release(WorkloadId workload);

  /**
   * Reports that the pods of a workload have stopped.
   *
   * @return whether it had been evicted
   */
  boolean podsStopped(WorkloadId workload);

  /**
   * Reports that an admission has been stored.
   *
   * @return whether the workload holds quota
   */
  boolean admissionRecorded(WorkloadId workload);

  /**
   * Reports that a node of a workload has failed.
   *
   * @param workload the workload
   * @param host the host name of the node
   * @return whether the workload is evicted at once
   * @throws IllegalArgumentException if the workload is unknown
   */
  default boolean nodeFailed(WorkloadId workload, String host) {
    throw unsupported("nodeFailed", Feature.TOPOLOGY);
  }

  /**
   * Reports that a node of a workload has recovered.
   *
   * @param workload the workload
   * @param host the host name of the node
   * @return whether the node had failed and its pods had not been moved
   * @throws IllegalArgumentException if the workload is unknown
   */
  default boolean nodeRecovered(WorkloadId workload, String host) {
    throw unsupported("nodeRecovered", Feature.TOPOLOGY);
  }

  /**
   * Restores a workload that was admitted before this engine existed.
   *
   * @throws IllegalArgumentException if it is known or does not match the admission
   */
  void restore(Workload workload, Admission admission);

  /**
   * Restores a workload that was preempted before this engine existed, and has not stopped yet.
   *
   * @throws IllegalArgumentException if it is known or does not match the admission
   */
  default void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    throw unsupported("restore", Feature.RESTORE);
  }

  /**
   * Restores a workload that waited for the end of a backoff before this engine existed.
   *
   * @param workload the workload
   * @param requeueAt the time before which it is not tried again
   * @throws IllegalArgumentException if it is known or invalid
   */
  default void restoreWaiting(Workload workload, Instant requeueAt) {
    throw unsupported("restoreWaiting", Feature.RESTORE);
  }

  /**
   * Opens or closes a preemption gate.
   *
   * @throws IllegalArgumentException if the workload is unknown or has no such gate
   */
  default void setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    throw unsupported("setPreemptionGate", Feature.GATES);
  }

  /**
   * Reports the state of an admission check of a workload.
   *
   * @throws IllegalArgumentException if the workload is unknown
   */
  default void setCheck(WorkloadId workload, AdmissionCheckState check) {
    throw unsupported("setCheck", Feature.CHECKS);
  }

  /**
   * Reports whether all pods of a workload are ready.
   *
   * @throws IllegalArgumentException if the workload is unknown
   */
  default void setPodsReady(WorkloadId workload, boolean ready) {
    throw unsupported("setPodsReady", Feature.PODS_READY);
  }

  /**
   * Reports how many pods of a workload need no quota any more.
   *
   * @param workload the workload
   * @param pods the number of pods by pod set
   * @return whether the numbers were accepted
   * @throws IllegalArgumentException if the workload is unknown
   */
  default boolean setReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) {
    throw unsupported("setReclaimablePods", Feature.RECLAIMABLE_PODS);
  }

  /**
   * Replaces the usage history of a LocalQueue by a stored one.
   *
   * @throws IllegalArgumentException if there is no such LocalQueue
   * @throws IllegalStateException if admission fair sharing is off
   */
  default void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    throw unsupported("restoreConsumedUsage", Feature.ADMISSION_FAIR_SHARING);
  }

  /** {@return the externally visible state of the engine} */
  Observation observe();

  private static UnsupportedOperationException unsupported(String call, Feature feature) {
    return new UnsupportedOperationException(
        "the engine under test does not implement " + call + "; implement it, or leave out"
            + " the feature by ScenarioOptions.builder().without(Feature." + feature + ")");
  }
}
