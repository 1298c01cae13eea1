package io.kueue4j.core.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * When fair sharing lets a workload be preempted; named as in Kueue's configuration.
 *
 * <p>Rules: H-20, H-21, H-24.
 */
public enum FairSharingStrategy {
  /**
   * When the preemptor's side has no larger share than the victim's side will have without the
   * victim.
   */
  LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
  /** When the preemptor's side has a smaller share than the victim's side has now. */
  LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

  private final String text;

  FairSharingStrategy(String text) {
    this.text = text;
  }

  /** {@return the strategy with that name in Kueue's configuration, if there is one} */
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
