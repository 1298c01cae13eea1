package io.kueue4j.core.simulation;

import io.kueue4j.core.AdmissionEngine;
import java.time.Instant;

/** An engine with a clock that a simulation sets. */
final class SimulationEngine {
  private final AdmissionEngine engine;
  private long nowMillis;
  private Instant now;

  private SimulationEngine(Plan plan) {
    this.nowMillis = plan.startMillis();
    this.now = Instant.ofEpochMilli(nowMillis);
    this.engine = plan.base()
        .map(base -> base.whatIf(() -> now))
        .orElseGet(() ->
            AdmissionEngine.builder().settings(plan.settings()).clock(() -> now).build());
  }

  /** {@return an engine at the start of a simulation, with its configuration} */
  static SimulationEngine of(Plan plan) {
    SimulationEngine created = new SimulationEngine(plan);
    created.engine.apply(plan.configuration());
    return created;
  }

  AdmissionEngine engine() {
    return engine;
  }

  long nowMillis() {
    return nowMillis;
  }

  void advanceTo(long millis) {
    if (millis != nowMillis) {
      nowMillis = millis;
      now = Instant.ofEpochMilli(millis);
    }
  }
}
