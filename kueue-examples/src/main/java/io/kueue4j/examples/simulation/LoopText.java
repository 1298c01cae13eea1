package io.kueue4j.examples.simulation;

import io.kueue4j.core.decision.StableRun.RepeatedStop;
import java.util.List;
import java.util.stream.Collectors;

/** Says in words that workloads stop again and again. */
public final class LoopText {
  private static final int SHOWN_STOPS = 6;

  private LoopText() {}

  /**
   * {@return a sentence for users that names the first stops, without its full stop}
   *
   * @param stops the stops that repeat, not empty
   */
  public static String of(List<RepeatedStop> stops) {
    String shown = stops.stream()
        .limit(SHOWN_STOPS)
        .map(RepeatedStop::message)
        .collect(Collectors.joining(", "));
    int more = stops.size() - SHOWN_STOPS;
    return "workloads stop again and again, and would in Kueue: " + shown
        + (more > 0 ? ", and " + more + " more" : "");
  }
}
