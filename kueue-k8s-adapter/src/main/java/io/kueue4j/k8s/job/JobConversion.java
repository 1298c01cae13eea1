package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * What became of a job: a workload, or the reason why there is none.
 *
 * <p>Immutable.
 */
public sealed interface JobConversion {
  /**
   * The job is to be admitted.
   *
   * @param workload what to submit
   * @param jobName the name of the job; where it had none, the one made for it, which is part of
   *     the workload's name
   * @param maximumExecutionTimeSeconds how long it may run once admitted, absent for no bound
   * @param unknownRuntimeClasses the RuntimeClasses that its pods name and that are not known, so
   *     that their overhead is missing in the requests
   * @param notes what was read in spite of its form, in sentences
   */
  record Converted(
      Workload workload,
      String jobName,
      OptionalInt maximumExecutionTimeSeconds,
      ImmutableSortedSet<String> unknownRuntimeClasses,
      ImmutableList<String> notes)
      implements JobConversion {
    /** {@return the conversion of a job that differs in nothing but its name} */
    Converted named(String newJobName, String workloadName) {
      return new Converted(
          Workload.builder().from(workload).name(workloadName).build(),
          newJobName,
          maximumExecutionTimeSeconds,
          unknownRuntimeClasses,
          notes);
    }
  }

  /**
   * The job is none of admission's business.
   *
   * @param reason why
   * @param message the same in words
   */
  record NotManaged(Reason reason, String message) implements JobConversion {}

  /**
   * No workload may be made of the job as it is.
   *
   * @param violations everything that is wrong with it
   */
  record Invalid(ImmutableList<Violation> violations) implements JobConversion {}

  /** Why a job is none of admission's business. */
  enum Reason {
    /** It is no kind of job that is known. */
    UNKNOWN_KIND,
    /** It belongs to a job that is admitted as a whole. */
    MANAGED_BY_PARENT,
    /** It names no LocalQueue. */
    NO_QUEUE_NAME,
    /** It names no LocalQueue, and has to be suspended until it does. */
    WAITS_FOR_QUEUE_NAME,
    /** It uses pods that another object has. */
    NO_PODS_OF_ITS_OWN,
    /** It wants no pods at present, or may have none. */
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
   * @throws IllegalStateException if the job is none of admission's business
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
