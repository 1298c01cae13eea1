package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;

/**
 * Something that happens in a simulation at a given time, beside the submission and the end of
 * jobs. Immutable. Events of one time happen in the order in which they were added.
 *
 * @since 0.1.0
 */
public sealed interface SimulationEvent {
  /** {@return when it happens} */
  Instant time();

  /** {@return an event that adds or replaces configuration objects, nodes among them} */
  static SimulationEvent apply(Instant time, ConfigObject... objects) {
    return new Apply(time, ImmutableList.copyOf(objects));
  }

  /**
   * Configuration objects are added or replaced, with the effects of
   * {@link io.kueue4j.core.AdmissionEngine#apply(Iterable)}.
   *
   * @param time when it happens
   * @param objects the objects
   * @since 0.1.0
   */
  record Apply(Instant time, List<ConfigObject> objects) implements SimulationEvent {
    /** Copies what it is given. */
    public Apply {
      objects = ImmutableList.copyOf(objects);
    }
  }

  /**
   * Configuration objects are removed, with the effects of
   * {@link io.kueue4j.core.AdmissionEngine#remove(Iterable)}.
   *
   * @param time when it happens
   * @param objects the objects, of which only kinds and names matter
   * @since 0.1.0
   */
  record Remove(Instant time, List<ConfigObject> objects) implements SimulationEvent {
    /** Copies what it is given. */
    public Remove {
      objects = ImmutableList.copyOf(objects);
    }
  }

  /**
   * A node fails: it takes no more pods, and each workload with pods on it moves them or is
   * evicted, as {@link io.kueue4j.core.WorkloadLifecycle#nodeFailed} says. Nothing happens if there
   * is no such node.
   *
   * @param time when it happens
   * @param node the name of the node
   * @since 0.1.0
   */
  record FailNode(Instant time, String node) implements SimulationEvent {}

  /**
   * A failed node is usable again. Nothing happens if there is no such node.
   *
   * @param time when it happens
   * @param node the name of the node
   * @since 0.1.0
   */
  record RecoverNode(Instant time, String node) implements SimulationEvent {}

  /**
   * The user cancels a job, whether it waits or runs; it counts as
   * {@link JobResult.Outcome#CANCELLED}. Nothing happens if it has ended.
   *
   * @param time when it happens
   * @param job the job
   * @since 0.1.0
   */
  record Cancel(Instant time, WorkloadId job) implements SimulationEvent {}

  /**
   * The workload of a job is deleted; it counts as {@link JobResult.Outcome#DELETED}. Nothing
   * happens if it has ended.
   *
   * @param time when it happens
   * @param job the job
   * @since 0.1.0
   */
  record Delete(Instant time, WorkloadId job) implements SimulationEvent {}
}
