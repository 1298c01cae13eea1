package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics of workloads that do not run: pending and finished ones. */
class StandingMetricsTest extends MeteredEngine {
  private static String unadmitted(String queue, String reason, String cause) {
    return "unadmitted_workloads{cluster_queue=" + queue + ",reason=" + reason
        + ",underlying_cause=" + cause + "}";
  }

  private static String unadmittedOf(String name, String queue, String reason, String cause) {
    return "local_queue_unadmitted_workloads{name=" + name + ",namespace=ns,cluster_queue=" + queue
        + ",reason=" + reason + ",underlying_cause=" + cause + "}";
  }

  @Test
  void whyWorkloadsMayNotRunIsReportedByQueue() {
    queue("q", 10);
    engine.apply(LocalQueue.of("ns", "lq-other", "q"));
    engine.submit(job("a", "q", 20));
    engine.submit(job("b", "other", 30));
    engine.submit(job("c", "q", 4));
    assertThat(value(unadmitted("q", "NoReservation", "PendingEvaluation"))).isEqualTo(3);
    cycle();
    cycle();
    cycle();
    assertThat(value(unadmitted("q", "NoReservation", "ExceedsMaxQuota"))).isEqualTo(2);
    assertThat(value(unadmittedOf("lq-q", "q", "NoReservation", "ExceedsMaxQuota")))
        .isEqualTo(1);
    assertThat(value(unadmittedOf("lq-other", "q", "NoReservation", "ExceedsMaxQuota")))
        .isEqualTo(1);
    assertThat(value(unadmitted("q", "NoReservation", "PendingEvaluation"))).isNull();
    queue("q", 10, queue -> queue.stopPolicy(StopPolicy.HOLD));
    assertThat(value(unadmitted("q", "NoReservation", "Suspended"))).isEqualTo(2);
  }

  @Test
  void whatHoldsQuotaAndWaitsForChecksHasNoCause() {
    engine.apply(AdmissionCheck.of("budget", "controller"));
    queue(
        "q",
        10,
        queue -> queue.addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of()))));
    engine.submit(job("a", "q", 4));
    cycle();
    assertThat(value(unadmitted("q", "UnsatisfiedAdmissionChecks", ""))).isEqualTo(1);
  }

  @Test
  void whatIsInNoQueueIsNotTold() {
    queue("q", 10);
    engine.apply(LocalQueue.of("ns", "lq-dangling", "nowhere"));
    engine.submit(job("a", "unknown", 1));
    engine.submit(job("b", "dangling", 1));
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue_unadmitted_workloads")).isEmpty();
    // Kueue knows the ClusterQueue of the LocalQueue.
    assertThat(value(unadmittedOf("lq-dangling", "nowhere", "NoReservation", "Misconfigured")))
        .isEqualTo(1);
    assertThat(sink.seriesWith("local_queue_unadmitted_workloads")).hasSize(1);
  }

  @Test
  void finishedWorkloadsComeFromTheSupplier() {
    List<KueueMetrics.FinishedWorkload> finished = new ArrayList<>();
    metrics = KueueMetrics.builder(sink).finished(() -> finished).build();
    engine = engine();
    queue("q", 10);
    engine.apply(LocalQueue.of("ns", "lq-other", "q"));
    assertThat(value("finished_workloads{cluster_queue=q}")).isZero();
    finished.add(new KueueMetrics.FinishedWorkload("ns", "lq-q"));
    finished.add(new KueueMetrics.FinishedWorkload("ns", "lq-q"));
    finished.add(new KueueMetrics.FinishedWorkload("ns", "lq-other"));
    finished.add(new KueueMetrics.FinishedWorkload("elsewhere", "lq-q"));
    assertThat(value("finished_workloads{cluster_queue=q}")).isEqualTo(3);
    assertThat(value("local_queue_finished_workloads{name=lq-q,namespace=ns}")).isEqualTo(2);
    assertThat(value("local_queue_finished_workloads{name=lq-other,namespace=ns}"))
        .isEqualTo(1);
    finished.clear();
    assertThat(value("finished_workloads{cluster_queue=q}")).isZero();
  }

  @Test
  void withoutASupplierNoFinishedWorkloadsAreReported() {
    queue("q", 10);
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 1)).result();
    engine.finish(id("a"));
    metrics.refresh(engine);
    assertThat(sink.seriesWith("finished_workloads{")).isEmpty();
  }

  @Test
  void whatIsRunningIsReportedWithoutARole() {
    metrics.refresh(engine);
    assertThat(sink.seriesWith("build_info")).isEmpty();
    metrics = KueueMetrics.builder(sink)
        .buildInfo(
            new KueueMetrics.BuildInfo("1.2.3", "", "", "java17.0.12", "HotSpot", "linux/amd64")
                .withBuild("c0ffee", "2026-01-01"))
        .build();
    metrics.refresh(engine);
    assertThat(sink.seriesWith("build_info"))
        .containsExactly("kueue_build_info{git_version=1.2.3,git_commit=c0ffee,"
            + "build_date=2026-01-01,go_version=java17.0.12,compiler=HotSpot,"
            + "platform=linux/amd64}");
  }

  @Test
  void thisIsRunningHere() {
    KueueMetrics.BuildInfo info = KueueMetrics.BuildInfo.of("1.2.3");
    assertThat(info.javaVersion()).startsWith("java" + Runtime.version().feature());
    assertThat(info.platform()).matches("[a-z0-9 ]+/.+");
    assertThat(info.virtualMachine()).isNotEmpty();
  }
}
