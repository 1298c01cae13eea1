package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * The result of a conversion: a workload, or the reason why there is none.
 *
 * <p>Immutable.
 *
 * @since 0.1.0
 */
public sealed interface JobConversion {
  /**
   * A job to be admitted.
   *
   * @param workload the workload to submit
   * @param reclaimablePods the number of its pods that have ended already, by pod set, to be passed
   *     to {@link io.kueue4j.core.WorkloadLifecycle#setReclaimablePods}
   * @param jobName the name of the job; if it had none, the generated one, which is part of the
   *     workload's name
   * @param maximumExecutionTimeSeconds the maximum execution time, empty for no limit
   * @param unknownRuntimeClasses the unknown RuntimeClasses that its pods name, whose overhead is
   *     missing in the requests
   * @param notes notes on values that were accepted in spite of their form, in sentences
   */
  record Converted(
      Workload workload,
      SortedMap<String, Integer> reclaimablePods,
      String jobName,
      OptionalInt maximumExecutionTimeSeconds,
      SortedSet<String> unknownRuntimeClasses,
      List<String> notes)
      implements JobConversion {
    /** Copies what it is given. */
    public Converted {
      reclaimablePods = ImmutableSortedMap.copyOf(reclaimablePods);
      unknownRuntimeClasses = ImmutableSortedSet.copyOf(unknownRuntimeClasses);
      notes = ImmutableList.copyOf(notes);
    }

    /** {@return the conversion of a job that differs only in its name} */
    Converted named(String newJobName, String workloadName) {
      return new Converted(
          Workload.builder().from(workload).name(workloadName).build(),
          reclaimablePods,
          newJobName,
          maximumExecutionTimeSeconds,
          unknownRuntimeClasses,
          notes);
    }
  }

  /**
   * A job that is not managed.
   *
   * @param reason the reason
   * @param message the reason in words
   */
  record NotManaged(Reason reason, String message) implements JobConversion {}

  /**
   * A job that cannot be converted in its present form.
   *
   * @param violations all violations
   */
  record Invalid(List<Violation> violations) implements JobConversion {
    /** Copies what it is given. */
    public Invalid {
      violations = ImmutableList.copyOf(violations);
    }
  }

  /** Why a job is not managed. */
  enum Reason {
    /** Its kind is unknown. */
    UNKNOWN_KIND,
    /** It belongs to a job that is admitted as a whole. */
    MANAGED_BY_PARENT,
    /** It names no LocalQueue. */
    NO_QUEUE_NAME,
    /** It names no LocalQueue, and must be suspended until it does. */
    WAITS_FOR_QUEUE_NAME,
    /** It uses the pods of another object. */
    NO_PODS_OF_ITS_OWN,
    /** It requests no pods at present, or is on hold. */
    ON_HOLD,
    /** It is a pod of a group, which is admitted as a whole: see {@link PodGroup}. */
    PART_OF_GROUP,
    /** Pods of the group are still missing. */
    INCOMPLETE_GROUP,
    /** It names a Workload that does not exist (yet). */
    NO_PREBUILT_WORKLOAD,
    /** The Workload that it names has other pod sets than the job. */
    PREBUILT_WORKLOAD_OUT_OF_SYNC
  }

  /** {@return the result of the function for the case that this is} */
  default <T> T match(
      Function<? super Converted, ? extends T> onConverted,
      Function<? super NotManaged, ? extends T> onNotManaged,
      Function<? super Invalid, ? extends T> onInvalid) {
    if (this instanceof Converted converted) {
      return onConverted.apply(converted);
    }
    if (this instanceof NotManaged notManaged) {
      return onNotManaged.apply(notManaged);
    }
    return onInvalid.apply((Invalid) this);
  }

  /**
   * {@return the converted job}
   *
   * @throws InvalidConfigurationException if the job is invalid; lists every violation
   * @throws IllegalStateException if the job is not managed
   */
  default Converted orElseThrow() {
    return match(
        converted -> converted,
        notManaged -> {
          throw new IllegalStateException(notManaged.message());
        },
        invalid -> {
          throw new InvalidConfigurationException(invalid.violations());
        });
  }
}
