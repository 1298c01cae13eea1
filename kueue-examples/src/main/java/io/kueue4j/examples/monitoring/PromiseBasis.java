package io.kueue4j.examples.monitoring;

import io.kueue4j.core.decision.Promise;

/** What a promised start rests on, in words that follow its time. */
public final class PromiseBasis {
  private PromiseBasis() {}

  /** {@return the words; empty if it rests on own quota and maximum execution times alone} */
  public static String of(Promise promise) {
    return (promise.restsOnLimits() ? "" : ", if durations are as expected")
        + (promise.borrows() ? ", on borrowed quota" : "");
  }
}
