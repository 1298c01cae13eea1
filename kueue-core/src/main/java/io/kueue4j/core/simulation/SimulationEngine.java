package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.AdmissionFairSharing;
import java.time.Duration;
import java.time.Instant;

/** An engine with a clock that a simulation sets. */
final class SimulationEngine {
  /** The shortest interval between samples of usage: each sample is an event of the simulation. */
  private static final Duration MIN_SAMPLING_INTERVAL = Duration.ofSeconds(1);

  private final AdmissionEngine engine;
  private long nowMillis;
  private Instant now;

  /**
   * Creates an engine at the start of a simulation, with its configuration.
   *
   * @throws IllegalArgumentException if the settings sample usage more than once a second
   */
  SimulationEngine(Plan plan) {
    this.nowMillis = plan.startMillis();
    this.now = Instant.ofEpochMilli(nowMillis);
    this.engine = plan.base()
        .map(base -> base.whatIf(() -> now))
        .orElseGet(() ->
            AdmissionEngine.builder().settings(plan.settings()).clock(() -> now).build());
    engine
        .settings()
        .admissionFairSharing()
        .map(AdmissionFairSharing::usageSamplingInterval)
        .ifPresent(interval -> checkArgument(
            interval.compareTo(MIN_SAMPLING_INTERVAL) >= 0,
            "usageSamplingInterval is %s; expected at least %s, since a simulation takes each sample",
            interval,
            MIN_SAMPLING_INTERVAL));
    engine.apply(plan.configuration());
  }

  AdmissionEngine engine() {
    return engine;
  }

  long nowMillis() {
    return nowMillis;
  }

  void advanceTo(long millis) {
    nowMillis = millis;
    now = Instant.ofEpochMilli(millis);
  }
}
