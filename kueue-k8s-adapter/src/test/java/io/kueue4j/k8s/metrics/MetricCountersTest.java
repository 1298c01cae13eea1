package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Preemption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The counters of events. */
class MetricCountersTest extends MeteredEngine {
  @Test
  void anAdmissionIsCountedWithItsWaitingTimes() {
    queue("q", 10, queue -> queue.cohort("c"));
    engine.submit(job("a", "q", 4, job -> job.priorityClass("high")));
    pass(2.5);
    cycle();
    String labels = "{cluster_queue=q,priority_class=high}";
    String local = "{name=lq-q,namespace=ns,priority_class=high}";
    assertThat(value("quota_reserved_workloads_total" + labels)).isEqualTo(1);
    assertThat(value("admitted_workloads_total" + labels)).isEqualTo(1);
    assertThat(value("local_queue_quota_reserved_workloads_total" + local)).isEqualTo(1);
    assertThat(value("local_queue_admitted_workloads_total" + local)).isEqualTo(1);
    assertThat(value("cohort_subtree_admitted_workloads_total{cohort=c,priority_class=high}"))
        .isEqualTo(1);
    assertThat(observed("quota_reserved_wait_time_seconds" + labels)).containsExactly(2.5);
    assertThat(observed("admission_wait_time_seconds" + labels)).containsExactly(2.5);
    assertThat(observed("local_queue_admission_wait_time_seconds" + local)).containsExactly(2.5);
    assertThat(observed("admission_checks_wait_time_seconds" + labels)).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void timeInChecksIsCountedApart() {
    engine.apply(AdmissionCheck.of("budget", "controller"));
    queue(
        "q",
        10,
        queue -> queue.addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of()))));
    engine.submit(job("a", "q", 4));
    pass(1);
    cycle();
    String labels = "{cluster_queue=q,priority_class=}";
    assertThat(value("reserving_active_workloads{cluster_queue=q}")).isEqualTo(1);
    assertThat(value("admitted_active_workloads{cluster_queue=q}")).isZero();
    assertThat(value("cluster_queue_resource_reservation"
            + "{cohort=,cluster_queue=q,flavor=spot,resource=cpu}"))
        .isEqualTo(4);
    assertThat(value(
            "cluster_queue_resource_usage" + "{cohort=,cluster_queue=q,flavor=spot,resource=cpu}"))
        .isZero();
    pass(4);
    engine.lifecycle().setCheck(id("a"), AdmissionCheckState.of("budget", CheckState.READY));
    assertThat(observed("quota_reserved_wait_time_seconds" + labels)).containsExactly(1.0);
    assertThat(observed("admission_wait_time_seconds" + labels)).containsExactly(5.0);
    assertThat(observed("admission_checks_wait_time_seconds" + labels)).containsExactly(4.0);
    assertThat(observed("local_queue_admission_checks_wait_time_seconds"
            + "{name=lq-q,namespace=ns,priority_class=}"))
        .containsExactly(4.0);
    assertThat(value(
            "local_queue_resource_usage" + "{name=lq-q,namespace=ns,flavor=spot,resource=cpu}"))
        .isEqualTo(4);
  }

  @Test
  void cyclesAreCountedByWhatCameOfThem() {
    queue("q", 10);
    cycle();
    engine.submit(job("large", "q", 20));
    engine.submit(job("small", "q", 5));
    metrics.attempt(() -> {
      nanos += 250_000_000;
      return engine.runCycle();
    });
    cycle();
    assertThat(value("admission_attempts_total{result=success}")).isEqualTo(1);
    assertThat(value("admission_attempts_total{result=inadmissible}")).isEqualTo(1);
    assertThat(observed("admission_attempt_duration_seconds{result=inadmissible}"))
        .containsExactly(0.25);
    assertThat(observed("admission_attempt_duration_seconds{result=success}")).containsExactly(0.0);
  }

  @Test
  void preemptionIsCountedForBothSides() {
    queue(
        "q",
        10,
        queue -> queue.preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build()));
    AdmissionResult unused = engine.tryAdmit(job("low", "q", 8)).result();
    engine.lifecycle().setPodsReady(id("low"), true);
    engine.submit(job("high", "q", 8, job -> job.priority(5)));
    pass(7);
    cycle();
    assertThat(value("evicted_workloads_total"
            + "{cluster_queue=q,reason=Preempted,underlying_cause=,priority_class=}"))
        .isEqualTo(1);
    assertThat(value("evicted_workloads_once_total"
            + "{cluster_queue=q,reason=Preempted,underlying_cause=,priority_class=}"))
        .isEqualTo(1);
    assertThat(value("local_queue_evicted_workloads_total{name=lq-q,namespace=ns,"
            + "reason=Preempted,underlying_cause=,priority_class=}"))
        .isEqualTo(1);
    assertThat(value("preempted_workloads_total{preempting_cluster_queue=q,reason=InClusterQueue}"))
        .isEqualTo(1);
    assertThat(observed("pods_ready_to_evicted_time_seconds"
            + "{cluster_queue=q,reason=Preempted,underlying_cause=}"))
        .containsExactly(7.0);
    pass(3);
    engine.podsStopped(id("low"));
    assertThat(observed("workload_eviction_latency_seconds{cluster_queue=q,reason=Preempted}"))
        .containsExactly(3.0);
  }

  @Test
  void onlyTheFirstEvictionForAReasonIsUnique() {
    queue("q", 10);
    for (int i = 0; i < 3; i++) {
      AdmissionResult unused2 =
          engine.tryAdmit(job("a", "q", 1, job -> job.creationTime(START))).result();
      engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "gone");
      engine.podsStopped(id("a"));
    }
    String labels = "{cluster_queue=q,reason=NodeFailures,underlying_cause=,priority_class=}";
    assertThat(value("evicted_workloads_total" + labels)).isEqualTo(3);
    assertThat(value("evicted_workloads_once_total" + labels)).isEqualTo(1);
  }

  @Test
  void whatHoldsNoQuotaIsNotEvicted() {
    queue("q", 10);
    engine.submit(job("a", "q", 20));
    engine.lifecycle().setActive(id("a"), false);
    metrics.refresh(engine);
    assertThat(sink.seriesWith("evicted")).isEmpty();
  }

  @Test
  void waitingBeginsAnewWhenAWorkloadIsQueuedAgain() {
    queue("q", 10);
    AdmissionResult unused3 = engine.tryAdmit(job("a", "q", 1)).result();
    pass(100);
    engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "gone");
    engine.podsStopped(id("a"));
    pass(4);
    cycle();
    assertThat(observed("admission_wait_time_seconds{cluster_queue=q,priority_class=}"))
        .containsExactly(0.0, 4.0);
  }

  @Test
  void podsThatAreReadyAreCountedTheFirstTime() {
    queue("q", 10);
    engine.submit(job("a", "q", 1));
    pass(2);
    cycle();
    for (int i = 0; i < 2; i++) {
      pass(3);
      engine.lifecycle().setPodsReady(id("a"), true);
      engine.lifecycle().setPodsReady(id("a"), false);
    }
    String labels = "{cluster_queue=q,priority_class=}";
    assertThat(observed("ready_wait_time_seconds" + labels)).containsExactly(5.0);
    assertThat(observed("admitted_until_ready_wait_time_seconds" + labels)).containsExactly(3.0);
    assertThat(observed(
            "local_queue_ready_wait_time_seconds" + "{name=lq-q,namespace=ns,priority_class=}"))
        .containsExactly(5.0);
  }

  @Test
  void whatFinishesIsCountedWithItsTime() {
    queue("q", 10);
    AdmissionResult unused4 = engine.tryAdmit(job("a", "q", 1)).result();
    pass(10);
    engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "gone");
    engine.podsStopped(id("a"));
    pass(100);
    cycle();
    pass(5);
    engine.finish(id("a"));
    String labels = "{cluster_queue=q,priority_class=}";
    assertThat(value("finished_workloads_total" + labels)).isEqualTo(1);
    assertThat(value(
            "local_queue_finished_workloads_total" + "{name=lq-q,namespace=ns,priority_class=}"))
        .isEqualTo(1);
    assertThat(observed("execution_time_seconds" + labels)).containsExactly(15.0);
    AdmissionResult unused5 = engine.tryAdmit(job("b", "q", 1)).result();
    engine.delete(id("b"));
    assertThat(value("finished_workloads_total" + labels)).isEqualTo(1);
  }

  @Test
  void whatFinishesWithoutQuotaIsOfNoQueue() {
    queue("q", 10);
    engine.submit(job("a", "q", 20));
    engine.finish(id("a"));
    assertThat(value("finished_workloads_total{cluster_queue=,priority_class=}"))
        .isEqualTo(1);
    assertThat(sink.seriesWith("execution_time")).isEmpty();
  }

  @Test
  void slicesThatAreReplacedAreCounted() {
    queue("q", 10);
    AdmissionResult unused6 = engine
        .tryAdmit(job("a-1", "q", 2, job -> job.elastic(true).sliceName("a-1")))
        .result();
    engine.submit(
        job("a-2", "q", 4, job -> job.elastic(true).sliceName("a-1").replaces(id("a-1"))));
    cycle();
    assertThat(value("replaced_workload_slices_total{cluster_queue=q}")).isEqualTo(1);
  }

  @Test
  void whatTheCallerTellsIsCounted() {
    metrics.workloadCreated("Job", Duration.ofMillis(40));
    metrics.gateRemoved("kueue.x-k8s.io/admission", "q", true, Duration.ofMillis(-5));
    assertThat(observed("workload_creation_latency_seconds{job_kind=Job}")).containsExactly(0.04);
    assertThat(observed("pod_scheduling_gate_removal_seconds"
            + "{name=kueue.x-k8s.io/admission,cluster_queue=q,is_group=true}"))
        .containsExactly(0.0);
  }
}
