package io.kueue4j.core.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * The condition on shares under which fair sharing lets a workload be preempted; named as in
 * Kueue's configuration.
 *
 * <p>Rules: H-20, H-21, H-24.
 *
 * @since 0.1.0
 */
public enum FairSharingStrategy {
  /**
   * The preemptor's queue or cohort has at most the share that the victim's will have without the
   * victim.
   */
  LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
  /** The preemptor's queue or cohort has a smaller share than the victim's has now. */
  LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

  private final String text;

  FairSharingStrategy(String text) {
    this.text = text;
  }

  /** {@return the strategy with this name in Kueue's configuration, empty if there is none} */
  public static Optional<FairSharingStrategy> named(String name) {
    return Arrays.stream(values())
        .filter(strategy -> strategy.text.equals(name))
        .findFirst();
  }

  /** {@return the name in Kueue's configuration} */
  @Override
  public String toString() {
    return text;
  }
}
