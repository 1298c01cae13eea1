package io.kueue4j.examples.docs;

// snippet
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;

/** The loop of a batch service of one's own. */
final class BatchLoop {
  /** Starts and stops jobs, and does not wait for them. */
  interface Runner {
    void start(Admission admission);

    void stop(WorkloadId job);
  }

  private final AdmissionEngine engine;
  private final Runner runner;

  BatchLoop(AdmissionEngine engine, Runner runner) {
    this.engine = engine;
    this.runner = runner;
  }

  AdmissionResult submit(Workload job) {
    Decisions decisions = engine.submit(job);
    decide();
    return decisions.result();
  }

  /** The job has ended by itself. */
  void finished(WorkloadId job) {
    engine.finish(job);
    decide();
  }

  /** The job has stopped after a call of {@link Runner#stop}. */
  void stopped(WorkloadId job) {
    act(engine.podsStopped(job));
    decide();
  }

  /** Called by the others, and at {@link AdmissionEngine#nextTick}. */
  void decide() {
    engine.runUntilStable(1_000, () -> act(engine.runCycle()));
  }

  private Decisions act(Decisions decisions) {
    decisions.mustStop().forEach(runner::stop);
    decisions.admitted().forEach(runner::start);
    return decisions;
  }
}
// end
