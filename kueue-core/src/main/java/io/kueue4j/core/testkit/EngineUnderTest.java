package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.ConsumedUsage;
import io.kueue4j.core.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.InstantSource;

/**
 * What the harness drives: an admission engine, or a controller around one. Each call is one step;
 * {@link #observe()} shows what came of it.
 *
 * <p>The calls mean what those of {@link io.kueue4j.core.AdmissionEngine} of the same name mean.
 * Time stands still but for the clock that the {@link Factory} was given.
 */
public interface EngineUnderTest {

  /** Makes an engine to try out. */
  @FunctionalInterface
  interface Factory {
    /**
     * {@return an engine without configuration}
     *
     * @param settings its settings
     * @param clock where it reads the time
     */
    EngineUnderTest create(Settings settings, InstantSource clock);
  }

  /**
   * Adds or replaces configuration objects, all of them or none.
   *
   * @throws InvalidConfigurationException if any rule is broken; then nothing has changed
   */
  void apply(ImmutableList<ConfigObject> objects);

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
   * @return whether it was taken in, false if it breaks rules
   */
  boolean submit(Workload workload);

  /**
   * Replaces a workload by another version.
   *
   * @return whether the change was taken
   */
  boolean update(Workload workload);

  /**
   * Decides on one workload now.
   *
   * @param workload the workload
   * @param evictVictims whether its victims are told to stop at once
   */
  Decision tryAdmit(Workload workload, boolean evictVictims);

  /** Runs one scheduling cycle. */
  CycleDecisions runCycle();

  /**
   * Tells that a workload has finished.
   *
   * @return whether it was known
   */
  boolean finish(WorkloadId workload);

  /**
   * Tells that a workload was deleted.
   *
   * @return whether it was known
   */
  boolean delete(WorkloadId workload);

  /**
   * Gives back the quota of a workload.
   *
   * @return whether it held any
   */
  boolean release(WorkloadId workload);

  /**
   * Tells that the pods of a workload have stopped.
   *
   * @return whether it had been told to stop
   */
  boolean podsStopped(WorkloadId workload);

  /**
   * Tells that an admission has been stored.
   *
   * @return whether the workload holds quota
   */
  boolean admissionRecorded(WorkloadId workload);

  /**
   * Tells that a node of a workload cannot be used any more.
   *
   * @param workload the workload
   * @param host the host name of the node
   * @return whether the workload has to stop at once
   * @throws IllegalArgumentException if it is not known
   */
  boolean nodeFailed(WorkloadId workload, String host);

  /**
   * Tells that a node of a workload can be used again.
   *
   * @param workload the workload
   * @param host the host name of the node
   * @return whether it had failed and nothing had been done about it
   * @throws IllegalArgumentException if it is not known
   */
  boolean nodeRecovered(WorkloadId workload, String host);

  /**
   * Takes in a workload that was admitted before this engine existed.
   *
   * @throws IllegalArgumentException if it is known or does not match the admission
   */
  void restore(Workload workload, Admission admission);

  /**
   * Takes in a workload that was admitted and evicted for another one before this engine existed,
   * and has not stopped yet.
   *
   * @throws IllegalArgumentException if it is known or does not match the admission
   */
  void restore(Workload workload, Admission admission, PreemptedCondition preempted);

  /**
   * Opens or closes a preemption gate.
   *
   * @throws IllegalArgumentException if the workload is not known or has no such gate
   */
  void setPreemptionGate(WorkloadId workload, String gate, boolean open);

  /**
   * Reports where an admission check of a workload stands.
   *
   * @throws IllegalArgumentException if the workload is not known
   */
  void setCheck(WorkloadId workload, AdmissionCheckState check);

  /**
   * Puts what a LocalQueue had used before this engine existed in the place of what is known of it.
   *
   * @throws IllegalArgumentException if there is no such LocalQueue
   * @throws IllegalStateException if usage is not remembered
   */
  void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage);

  /** {@return what the engine looks like from outside} */
  Observation observe();
}
