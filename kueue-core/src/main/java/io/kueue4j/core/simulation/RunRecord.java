package io.kueue4j.core.simulation;

import io.kueue4j.core.internal.simulation.EventLog;

/** What a run leaves behind: the log of events, and quotas over time. */
final class RunRecord {
  private final SimulationEngine clock;
  private final EventLog log = new EventLog();
  private final QuotaRecorder quotas = new QuotaRecorder();

  RunRecord(SimulationEngine clock) {
    this.clock = clock;
  }

  EventLog log() {
    return log;
  }

  QuotaRecorder quotas() {
    return quotas;
  }

  void add(int kind, int job, int detail) {
    log.add(clock.nowMillis(), kind, job, detail);
  }
}
