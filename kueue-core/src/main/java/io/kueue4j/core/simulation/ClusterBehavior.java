package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import java.time.Duration;
import java.util.Optional;

/**
 * How the cluster around the engine reacts to decisions: how long pods take to stop and to become
 * ready, and what admission checks answer. By default everything happens at once and every check
 * passes.
 *
 * <p>Answers must depend on the arguments alone; otherwise runs of one simulation differ.
 *
 * @since 0.1.0
 */
public interface ClusterBehavior {
  /** The behavior in which everything happens at once and every check passes. */
  ClusterBehavior IMMEDIATE = new ClusterBehavior() {};

  /**
   * {@return how long the pods of a job take to stop after it was preempted or evicted, not
   * negative; it holds its quota meanwhile and makes no progress. Zero unless overridden}
   */
  default Duration terminationDelay(SimulationJob job) {
    return Duration.ZERO;
  }

  /**
   * {@return how long after its admission all pods of a job are ready, not negative; empty if they
   * never are. Zero unless overridden. Asked only if
   * {@link io.kueue4j.core.decision.Settings#podsReady} is set. The job makes progress from its
   * admission on}
   *
   * @param job the job
   * @param start the number of this start of the job, from 1
   */
  default Optional<Duration> podsReadyDelay(SimulationJob job, int start) {
    return Optional.of(Duration.ZERO);
  }

  /**
   * {@return what an admission check answers, and when; empty if it never does. Ready at once
   * unless overridden}
   *
   * @param job the job, which has just reserved quota
   * @param check the name of the AdmissionCheck
   * @param reservation the number of this reservation of quota for the job, from 1
   */
  default Optional<CheckAnswer> checkAnswer(SimulationJob job, String check, int reservation) {
    return Optional.of(new CheckAnswer(Duration.ZERO, CheckState.READY));
  }

  /**
   * The answer of an admission check.
   *
   * @param delay the time from the reservation of quota to the answer, not negative
   * @param state the answer
   * @since 0.1.0
   */
  record CheckAnswer(Duration delay, CheckState state) {
    /**
     * Creates the answer.
     *
     * @throws IllegalArgumentException if {@code delay} is negative
     */
    public CheckAnswer {
      checkArgument(!delay.isNegative(), "the delay is %s; expected 0 or more", delay);
    }
  }
}
