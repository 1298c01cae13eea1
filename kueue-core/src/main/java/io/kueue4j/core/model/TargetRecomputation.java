package io.kueue4j.core.model;

/**
 * The result of a second search for victims, made when another workload of the same cycle has
 * preempted the victims found first.
 *
 * <p>Kueue: the label {@code result} of the metric {@code preemption_target_recomputations_total}.
 * Rules: S-14, S-15.
 *
 * @since 0.1.0
 */
public enum TargetRecomputation {
  /** The workload preempts other victims. */
  NEW_TARGETS("new_targets"),
  /** The workload fits as soon as the victims of earlier entries have stopped. */
  DEFERRED_FIT("deferred_fit"),
  /** Neither; the workload is tried again later. */
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
