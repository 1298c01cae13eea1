package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import org.junit.jupiter.api.Test;

/** The metrics of conflicts of preemptions. */
class ConflictMetricsTest extends MeteredEngine {
  private static final String SKIPS = "admission_cycle_preemption_skips";
  private static final String RECOMPUTATIONS = "preemption_target_recomputations_total";

  private void setUp(boolean recomputes) {
    engine = AdmissionEngine.builder()
        .clock(() -> now)
        .settings(Settings.builder()
            .putFeatureGates(
                FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP, recomputes)
            .build())
        .listener(metrics, failures::add)
        .build();
    engine.apply(ResourceFlavor.of("spot"));
    for (String name : new String[] {"a", "b"}) {
      queue(
          name,
          3,
          queue -> queue
              .cohort("c")
              .preemption(Preemption.builder()
                  .reclaimWithinCohort(Preemption.Policy.ANY)
                  .build()));
    }
    queue("borrower", 0, queue -> queue.cohort("c"));
  }

  /** Lets both reclaim what the borrower holds, in one cycle. */
  private void contend(String suffix) {
    engine.submit(job("first" + suffix, "a", 3));
    pass(1);
    engine.submit(job("second" + suffix, "b", 3));
    cycle();
  }

  @Test
  void aSkippedHeadIsReported() {
    setUp(false);
    AdmissionResult unused = engine.tryAdmit(job("victim", "borrower", 6)).result();
    contend("");
    assertThat(value(SKIPS + "{cluster_queue=b}")).isEqualTo(1);
    assertThat(value(SKIPS + "{cluster_queue=a}")).isNull();
    assertThat(sink.seriesWith(RECOMPUTATIONS)).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void thatStaysUntilAnotherCycleHasAny() {
    setUp(false);
    AdmissionResult unused2 = engine.tryAdmit(job("victim", "borrower", 6)).result();
    contend("");
    engine.podsStopped(id("victim"));
    cycle();
    assertThat(engine.admission(id("second"))).isPresent();
    // As in Kueue, the gauge shows the last cycle that skipped a workload.
    assertThat(value(SKIPS + "{cluster_queue=b}")).isEqualTo(1);
  }

  @Test
  void nothingIsReportedOfARemovedQueue() {
    setUp(false);
    AdmissionResult unused3 = engine.tryAdmit(job("victim", "borrower", 6)).result();
    contend("");
    metrics.refresh(engine);
    assertThat(sink.seriesWith(SKIPS)).hasSize(1);
    engine.delete(id("second"));
    engine.remove(ClusterQueue.class, "b");
    metrics.refresh(engine);
    assertThat(sink.seriesWith(SKIPS)).isEmpty();
    queue("b", 3);
    metrics.refresh(engine);
    assertThat(sink.seriesWith(SKIPS)).isEmpty();
  }

  @Test
  void lookingForOtherVictimsIsCountedByWhatCameOfIt() {
    setUp(true);
    AdmissionResult unused4 = engine.tryAdmit(job("victim", "borrower", 6)).result();
    contend("-1");
    assertThat(value(RECOMPUTATIONS + "{cluster_queue=b,result=deferred_fit}")).isEqualTo(1);
    for (String name : new String[] {"victim", "first-1", "second-1"}) {
      engine.delete(id(name));
    }
    AdmissionResult unused5 = engine.tryAdmit(job("victim-1", "borrower", 3)).result();
    AdmissionResult unused6 = engine.tryAdmit(job("victim-2", "borrower", 3)).result();
    contend("-2");
    assertThat(value(RECOMPUTATIONS + "{cluster_queue=b,result=new_targets}")).isEqualTo(1);
    assertThat(value(RECOMPUTATIONS + "{cluster_queue=b,result=deferred_fit}")).isEqualTo(1);
    assertThat(sink.seriesWith(SKIPS)).isEmpty();
    engine.delete(id("first-2"));
    engine.delete(id("second-2"));
    engine.remove(ClusterQueue.class, "b");
    metrics.refresh(engine);
    assertThat(sink.seriesWith(RECOMPUTATIONS)).isEmpty();
  }
}
