package io.kueue4j.core.testkit;

/** What an engine answered to a {@link Step}. */
public sealed interface StepOutcome {
  /**
   * A step that is answered by yes or no, or has no answer at all, which counts as yes.
   *
   * @param yes the answer
   */
  record Answered(boolean yes) implements StepOutcome {}

  /**
   * A decision on one workload.
   *
   * @param decision the decision
   */
  record Decided(Decision decision) implements StepOutcome {}

  /**
   * The decisions of a cycle.
   *
   * @param decisions the decisions
   */
  record Cycled(CycleDecisions decisions) implements StepOutcome {}

  /**
   * The engine threw one of the exceptions by which it refuses a call. Refusals of one reason are
   * equal whatever their messages.
   *
   * @param reason the kind of the exception
   */
  record Refused(Refusal reason) implements StepOutcome {}

  /** By which exception a call was refused. */
  enum Refusal {
    /** An {@link io.kueue4j.core.model.InvalidConfigurationException}. */
    INVALID_CONFIGURATION,
    /** Any other {@link IllegalArgumentException}. */
    ILLEGAL_ARGUMENT,
    /** An {@link IllegalStateException}. */
    ILLEGAL_STATE
  }

  /** {@return whether the engine refused the step} */
  default boolean isRefused() {
    return this instanceof Refused;
  }
}
