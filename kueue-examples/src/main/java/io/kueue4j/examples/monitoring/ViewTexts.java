package io.kueue4j.examples.monitoring;

import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.resource.Quantity;
import java.util.Map;
import java.util.stream.Collectors;

/** Texts that the page shares with reports. */
public final class ViewTexts {
  private ViewTexts() {}

  /** {@return amounts of resources in words} */
  public static String amounts(Map<String, Long> amounts) {
    return amounts.entrySet().stream()
        .map(entry -> Quantity.format(entry.getKey(), entry.getValue()) + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  /**
   * {@return what a promised start rests on, in words that follow its time; empty if that is own
   * quota and maximum execution times alone}
   */
  public static String basis(Promise promise) {
    return (promise.restsOnLimits() ? "" : ", if durations are as expected")
        + (promise.borrows() ? ", on borrowed quota" : "");
  }
}
