package io.kueue4j.core.model;

/**
 * What came of it when a workload had to look for other victims, since those that it was to preempt
 * were preempted for another one in the same cycle.
 *
 * <p>Kueue: the label {@code result} of the metric {@code preemption_target_recomputations_total}.
 * Rules: S-14, S-15.
 */
public enum TargetRecomputation {
  /** It preempts others instead. */
  NEW_TARGETS("new_targets"),
  /** It fits as soon as the victims of those before it have stopped. */
  DEFERRED_FIT("deferred_fit"),
  /** Neither, so it is tried again later. */
  SKIPPED("skipped");

  private final String text;

  TargetRecomputation(String text) {
    this.text = text;
  }

  /** {@return the name in Kueue's metrics} */
  @Override
  public String toString() {
    return text;
  }
}
