package io.kueue4j.core.simulation;

import io.kueue4j.core.model.Admission;

/**
 * What a run leaves behind beside the states of its jobs: the log of events, and quotas over time.
 * A run that is one of many samples leaves neither.
 */
final class RunRecord {
  private static final int NO_NAME = -1;

  private final SimulationEngine clock;
  private final boolean complete;
  private final EventLog log = new EventLog();
  private final QuotaRecorder quotas;

  /** Creates a record, which stays empty unless it is to be complete. */
  RunRecord(SimulationEngine clock, boolean complete) {
    this.clock = clock;
    this.complete = complete;
    this.quotas = new QuotaRecorder(clock, complete);
  }

  EventLog log() {
    return log;
  }

  QuotaRecorder quotas() {
    return quotas;
  }

  void add(EventKind kind, int job, int detail) {
    if (complete) {
      log.add(clock.nowMillis(), kind.number(), job, detail);
    }
  }

  /** {@return the id of a name as a detail of events; negative if names are not recorded} */
  int id(String name) {
    return complete ? log.id(name) : NO_NAME;
  }

  /** {@return the same, without a search if the name still has the id {@code last}} */
  int id(String name, int last) {
    return last >= 0 && log.name(last).equals(name) ? last : id(name);
  }

  /** {@return the id of the ClusterQueue of a LocalQueue; negative if there is none} */
  int clusterQueue(String localQueue) {
    String queue = quotas.clusterQueue(localQueue);
    return queue == null ? NO_NAME : log.id(queue);
  }

  /** {@return the id of the flavors of an admission, joined by {@code +}} */
  int flavors(Admission admission) {
    return complete ? log.id(String.join("+", admission.flavors())) : NO_NAME;
  }

  /** Records that the number of workloads that wait in a ClusterQueue changes. */
  void changeWaiting(int clusterQueue, int delta) {
    if (clusterQueue >= 0) {
      quotas.changeWaiting(log.name(clusterQueue), delta);
    }
  }
}
