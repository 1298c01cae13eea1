package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One call of an engine. Immutable and self-contained: a step means the same whatever was done
 * before it, so steps may be removed from a {@link Scenario}.
 *
 * <p>A step that an engine rejects, such as the update of an unknown workload, is legal; the
 * rejection is its outcome.
 */
public sealed interface Step {
  /**
   * Adds or replaces configuration objects, all of them or none.
   *
   * @param objects the objects
   */
  record Apply(List<ConfigObject> objects) implements Step {
    /** Copies what it is given. */
    public Apply {
      objects = ImmutableList.copyOf(objects);
    }
  }

  /**
   * Removes a configuration object.
   *
   * @param kind its kind
   * @param namespace its namespace, empty unless it is a LocalQueue
   * @param name its name
   */
  record Remove(Kind kind, String namespace, String name) implements Step {}

  /**
   * Queues a workload.
   *
   * @param workload the workload
   */
  record Submit(Workload workload) implements Step {}

  /**
   * Replaces a workload by another version.
   *
   * @param workload the new version
   */
  record Update(Workload workload) implements Step {}

  /**
   * Decides on one workload.
   *
   * @param workload the workload
   * @param evictVictims whether its victims are evicted at once
   */
  record TryAdmit(Workload workload, boolean evictVictims) implements Step {}

  /** Runs one scheduling cycle. */
  record Cycle() implements Step {}

  /**
   * Reports an event of a workload.
   *
   * @param event the event
   * @param workload the workload
   */
  record Tell(Event event, WorkloadId workload) implements Step {}

  /**
   * Restores a workload that was admitted earlier.
   *
   * @param workload the workload
   * @param admission its admission
   * @param preempted why it was evicted, if it was and has not stopped yet
   */
  record Restore(Workload workload, Admission admission, Optional<PreemptedCondition> preempted)
      implements Step {
    /** Restores a workload that was not evicted. */
    Restore(Workload workload, Admission admission) {
      this(workload, admission, Optional.empty());
    }
  }

  /**
   * Restores a workload that waited for the end of a backoff.
   *
   * @param workload the workload
   * @param requeueAt the time before which it is not tried again
   */
  record RestoreWaiting(Workload workload, Instant requeueAt) implements Step {}

  /**
   * Opens or closes a preemption gate of a workload.
   *
   * @param workload the workload
   * @param gate the name of the gate
   * @param open whether it is open from now on
   */
  record SetGate(WorkloadId workload, String gate, boolean open) implements Step {}

  /**
   * Reports the state of an admission check of a workload.
   *
   * @param workload the workload
   * @param check the check and its state
   */
  record SetCheck(WorkloadId workload, AdmissionCheckState check) implements Step {}

  /**
   * Reports whether all pods of a workload are ready.
   *
   * @param workload the workload
   * @param ready whether they are
   */
  record SetPodsReady(WorkloadId workload, boolean ready) implements Step {}

  /**
   * Reports how many pods of a workload need no quota any more.
   *
   * @param workload the workload
   * @param pods the number of pods by pod set
   */
  record SetReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) implements Step {
    /** Copies what it is given. */
    public SetReclaimablePods {
      pods = ImmutableSortedMap.copyOf(pods);
    }
  }

  /**
   * Restores the usage history of a LocalQueue.
   *
   * @param namespace its namespace
   * @param localQueue its name
   * @param usage the history, with the time of its computation
   */
  record RestoreUsage(String namespace, String localQueue, ConsumedUsage usage) implements Step {}

  /**
   * Reports that a node of a running workload has failed or recovered.
   *
   * @param workload the workload
   * @param host the host name of the node
   * @param failed whether it has failed
   */
  record TellOfNode(WorkloadId workload, String host, boolean failed) implements Step {}

  /**
   * Advances the time.
   *
   * @param duration the amount
   */
  record PassTime(Duration duration) implements Step {}

  /** The kinds of configuration objects that can be removed. */
  enum Kind {
    /** A {@link ClusterQueue}. */
    CLUSTER_QUEUE(ClusterQueue.class),
    /** A {@link Cohort}. */
    COHORT(Cohort.class),
    /** A {@link LocalQueue}. */
    LOCAL_QUEUE(LocalQueue.class),
    /** A {@link ResourceFlavor}. */
    RESOURCE_FLAVOR(ResourceFlavor.class),
    /** A {@link Topology}. */
    TOPOLOGY(Topology.class),
    /** A {@link Node}. */
    NODE(Node.class),
    /** A {@link Namespace}. */
    NAMESPACE(Namespace.class),
    /** A {@link WorkloadPriorityClass}. */
    PRIORITY_CLASS(WorkloadPriorityClass.class),
    /** An {@link AdmissionCheck}. */
    ADMISSION_CHECK(AdmissionCheck.class);

    private final Class<? extends ConfigObject> type;

    Kind(Class<? extends ConfigObject> type) {
      this.type = type;
    }

    /** {@return the class of the objects of this kind} */
    public Class<? extends ConfigObject> type() {
      return type;
    }
  }

  /** The external events of a workload. */
  enum Event {
    /** It has finished. */
    FINISHED,
    /** It was deleted. */
    DELETED,
    /** Its quota is released. */
    RELEASED,
    /** Its pods have stopped. */
    PODS_STOPPED,
    /** Its admission was stored. */
    ADMISSION_RECORDED
  }

  /** {@return whether this step decides on admissions} */
  default boolean decides() {
    return this instanceof Cycle || this instanceof TryAdmit;
  }
}
