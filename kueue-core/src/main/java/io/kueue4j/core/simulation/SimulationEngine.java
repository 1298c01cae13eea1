package io.kueue4j.core.simulation;

import io.kueue4j.core.AdmissionEngine;
import java.time.Instant;

/** An engine with a clock that a simulation sets. */
final class SimulationEngine {
  private final AdmissionEngine engine;
  private long nowMillis;
  private Instant now;

  /** Creates an engine at the start of a simulation, with its configuration. */
  SimulationEngine(Plan plan) {
    this.nowMillis = plan.startMillis();
    this.now = Instant.ofEpochMilli(nowMillis);
    this.engine = plan.base()
        .map(base -> base.whatIf(() -> now))
        .orElseGet(() ->
            AdmissionEngine.builder().settings(plan.settings()).clock(() -> now).build());
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
