package io.kueue4j.core.testkit;

/** The answer of an engine to a {@link Step}. */
public sealed interface StepOutcome {
  /**
   * A step with a boolean answer, or without an answer, which counts as yes.
   *
   * @param yes the answer
   */
  record Answered(boolean yes) implements StepOutcome {}

  /**
   * A decision on one workload.
   *
   * @param decision the decision
   */
  record Decided(WorkloadDecision decision) implements StepOutcome {}

  /**
   * The decisions of a cycle.
   *
   * @param decisions the decisions
   */
  record Cycled(CycleDecisions decisions) implements StepOutcome {}

  /**
   * A rejected call. Rejections with the same reason are equal regardless of their messages.
   *
   * @param reason the kind of the exception
   */
  record Refused(Refusal reason) implements StepOutcome {}

  /** The kind of the exception of a rejected call. */
  enum Refusal {
    /** An {@link io.kueue4j.core.model.InvalidConfigurationException}. */
    INVALID_CONFIGURATION,
    /** Any other {@link IllegalArgumentException}. */
    ILLEGAL_ARGUMENT,
    /** An {@link IllegalStateException}. */
    ILLEGAL_STATE
  }

  /** {@return whether the engine rejected the step} */
  default boolean isRefused() {
    return this instanceof Refused;
  }
}
