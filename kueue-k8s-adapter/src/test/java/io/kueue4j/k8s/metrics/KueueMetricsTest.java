package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KueueMetricsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final RecordingSink sink = new RecordingSink();
  private final List<RuntimeException> failures = new ArrayList<>();
  private Instant now = START;
  private long nanos;
  private ReplicaRole role = ReplicaRole.STANDALONE;
  private KueueMetrics metrics = KueueMetrics.builder(sink)
      .role(() -> role)
      .ticker(new Ticker() {
        @Override
        public long read() {
          return nanos;
        }
      })
      .build();
  private AdmissionEngine engine = engine();

  private AdmissionEngine engine() {
    AdmissionEngine made = AdmissionEngine.builder()
        .clock(() -> now)
        .listener(metrics, failures::add)
        .build();
    made.apply(ResourceFlavor.of("spot"), new WorkloadPriorityClass("high", 100));
    return made;
  }

  private void queue(String name, int cpu, UnaryOperator<ClusterQueue.Builder> change) {
    engine.apply(
        change
            .apply(ClusterQueue.builder()
                .name(name)
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
                    "spot",
                    ResourceQuota.of("cpu", Integer.toString(cpu)),
                    ResourceQuota.of("memory", "1Gi")))))
            .build(),
        LocalQueue.of("ns", "lq-" + name, name));
  }

  private void queue(String name, int cpu) {
    queue(name, cpu, queue -> queue);
  }

  private Workload job(String name, String queue, int cpu) {
    return job(name, queue, cpu, job -> job);
  }

  private Workload job(String name, String queue, int cpu, UnaryOperator<Workload.Builder> change) {
    return change
        .apply(Workload.builder()
            .namespace("ns")
            .name(name)
            .queueName("lq-" + queue)
            .creationTime(now)
            .addPodSets(PodSet.builder().count(cpu).putRequests("cpu", 1000).build()))
        .build();
  }

  private static WorkloadId id(String name) {
    return WorkloadId.of("ns", name);
  }

  private void pass(double seconds) {
    now = now.plusMillis((long) (seconds * 1000));
  }

  private void cycle() {
    metrics.attempt(engine::runCycle);
  }

  private @Nullable Double value(String series) {
    metrics.refresh(engine);
    return sink.value("kueue_" + series);
  }

  private List<Double> observed(String series) {
    return sink.observed("kueue_" + series);
  }

  @Nested
  class Counters {
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
      assertThat(value("cluster_queue_resource_usage"
              + "{cohort=,cluster_queue=q,flavor=spot,resource=cpu}"))
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
      assertThat(observed("admission_attempt_duration_seconds{result=success}"))
          .containsExactly(0.0);
    }

    @Test
    void preemptionIsCountedForBothSides() {
      queue(
          "q",
          10,
          queue -> queue.preemption(
              Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER)));
      engine.tryAdmit(job("low", "q", 8));
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
      assertThat(
              value("preempted_workloads_total{preempting_cluster_queue=q,reason=InClusterQueue}"))
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
        engine.tryAdmit(job("a", "q", 1, job -> job.creationTime(START)));
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
      engine.tryAdmit(job("a", "q", 1));
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
      engine.tryAdmit(job("a", "q", 1));
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
      engine.tryAdmit(job("b", "q", 1));
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
      engine.tryAdmit(job("a-1", "q", 2, job -> job.elastic(true).sliceName("a-1")));
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

  @Nested
  class GaugesOfQueues {
    @Test
    void whatWaitsAndWhatRuns() {
      queue("q", 10);
      engine.submit(job("large", "q", 20));
      engine.submit(job("huge", "q", 30));
      cycle();
      cycle();
      engine.tryAdmit(job("a", "q", 4));
      engine.submit(job("b", "q", 5));
      engine.submit(job("c", "q", 5));
      assertThat(value("pending_workloads{cluster_queue=q,status=active}")).isEqualTo(2);
      assertThat(value("pending_workloads{cluster_queue=q,status=inadmissible}"))
          .isEqualTo(2);
      assertThat(value("pending_scheduling_hashes{cluster_queue=q,status=active}"))
          .isEqualTo(1);
      assertThat(value("pending_scheduling_hashes{cluster_queue=q,status=inadmissible}"))
          .isEqualTo(2);
      assertThat(value("reserving_active_workloads{cluster_queue=q}")).isEqualTo(1);
      assertThat(value("admitted_active_workloads{cluster_queue=q}")).isEqualTo(1);
      assertThat(value("cluster_queue_resource_pending{cluster_queue=q,resource=cpu}"))
          .isEqualTo(60);
      String local = "{name=lq-q,namespace=ns";
      assertThat(value("local_queue_pending_workloads" + local + ",status=active}"))
          .isEqualTo(2);
      assertThat(value("local_queue_pending_workloads" + local + ",status=inadmissible}"))
          .isEqualTo(2);
      assertThat(value("local_queue_reserving_active_workloads" + local + "}")).isEqualTo(1);
      assertThat(value("local_queue_admitted_active_workloads" + local + "}")).isEqualTo(1);
      assertThat(value("local_queue_resource_reservation" + local + ",flavor=spot,resource=cpu}"))
          .isEqualTo(4);
      assertThat(value("local_queue_resource_usage" + local + ",flavor=spot,resource=memory}"))
          .isZero();
    }

    @Test
    void quotasAreInCoresAndUnits() {
      queue(
          "q",
          10,
          queue -> queue
              .cohort("c")
              .resourceGroups(ImmutableList.of(ResourceGroup.of(FlavorQuotas.of(
                  "spot",
                  ResourceQuota.of("cpu", "10").withBorrowingLimit("3500m"),
                  ResourceQuota.of("memory", "1Gi"))))));
      String cpu = "{cohort=c,cluster_queue=q,flavor=spot,resource=cpu}";
      String memory = "{cohort=c,cluster_queue=q,flavor=spot,resource=memory}";
      assertThat(value("cluster_queue_nominal_quota" + cpu)).isEqualTo(10);
      assertThat(value("cluster_queue_borrowing_limit" + cpu)).isEqualTo(3.5);
      assertThat(value("cluster_queue_lending_limit" + cpu)).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(value("cluster_queue_nominal_quota" + memory)).isEqualTo(1L << 30);
      assertThat(value("cluster_queue_borrowing_limit" + memory))
          .isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void statusSaysOneThing() {
      queue("q", 10);
      assertThat(value("cluster_queue_status{cluster_queue=q,status=active}")).isEqualTo(1);
      assertThat(value("cluster_queue_status{cluster_queue=q,status=pending}")).isZero();
      assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=True}"))
          .isEqualTo(1);
      engine.submit(job("a", "q", 1));
      queue("q", 10, queue -> queue.stopPolicy(StopPolicy.HOLD));
      assertThat(value("pending_workloads{cluster_queue=q,status=active}")).isZero();
      assertThat(value("pending_workloads{cluster_queue=q,status=inadmissible}"))
          .isEqualTo(1);
      assertThat(value("pending_scheduling_hashes{cluster_queue=q,status=inadmissible}"))
          .isEqualTo(1);
      assertThat(value("local_queue_pending_workloads{name=lq-q,namespace=ns,status=inadmissible}"))
          .isEqualTo(1);
      assertThat(value("cluster_queue_status{cluster_queue=q,status=active}")).isZero();
      assertThat(value("cluster_queue_status{cluster_queue=q,status=pending}")).isEqualTo(1);
      assertThat(value("cluster_queue_status{cluster_queue=q,status=terminating}"))
          .isZero();
      assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=True}"))
          .isZero();
      assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=False}"))
          .isEqualTo(1);
    }

    @Test
    void cohortsAreShownAsATree() {
      engine.apply(
          io.kueue4j.core.model.Cohort.builder().name("low").parent("high").build());
      queue("a", 10, queue -> queue.cohort("low"));
      queue("b", 5, queue -> queue.cohort("low"));
      engine.tryAdmit(job("one", "a", 12));
      assertThat(value("cluster_queue_info{cluster_queue=a,parent_cohort=low,root_cohort=high}"))
          .isEqualTo(1);
      assertThat(value("cohort_info{cohort=low,parent_cohort=high,root_cohort=high}"))
          .isEqualTo(1);
      assertThat(value("cohort_info{cohort=high,parent_cohort=,root_cohort=high}"))
          .isEqualTo(1);
      assertThat(value("cohort_subtree_quota{cohort=high,flavor=spot,resource=cpu}"))
          .isEqualTo(15);
      assertThat(value("cohort_subtree_resource_reservations{cohort=low,flavor=spot,resource=cpu}"))
          .isEqualTo(12);
      assertThat(
              value("cohort_subtree_resource_reservations{cohort=low,flavor=spot,resource=memory}"))
          .isNull();
      assertThat(value("cohort_subtree_admitted_active_workloads{cohort=high}")).isEqualTo(1);
      // It borrows two of the fifteen cores that the cohort could lend.
      assertThat(value("cluster_queue_weighted_share{cluster_queue=a,cohort=low}"))
          .isEqualTo(134);
      assertThat(value("cohort_weighted_share{cohort=low}")).isZero();
    }

    @Test
    void whoBorrowsWithoutWeightHasNoShare() {
      queue("a", 1, queue -> queue.cohort("c").fairSharing(new FairSharing(0)));
      queue("b", 5, queue -> queue.cohort("c"));
      engine.tryAdmit(job("one", "a", 2));
      assertThat(value("cluster_queue_weighted_share{cluster_queue=a,cohort=c}"))
          .isNaN();
    }
  }

  @Nested
  class Removal {
    @Test
    void nothingIsLeftOfQueuesThatAreGone() {
      queue("gone", 10, queue -> queue.cohort("gone-cohort"));
      queue("stays", 10, queue -> queue.cohort("other"));
      engine.tryAdmit(job("a", "gone", 1));
      engine.tryAdmit(job("b", "stays", 1));
      metrics.refresh(engine);
      assertThat(sink.seriesWith("gone")).hasSizeGreaterThan(20);
      int staying = sink.seriesWith("stays").size();
      engine.finish(id("a"));
      engine.removeClusterQueue("gone");
      engine.removeLocalQueue("ns", "lq-gone");
      metrics.refresh(engine);
      assertThat(sink.seriesWith("gone")).isEmpty();
      assertThat(sink.seriesWith("stays")).hasSize(staying);
    }

    @Test
    void gaugesOfQuotasThatAreGoneAreGone() {
      queue("q", 10);
      metrics.refresh(engine);
      assertThat(sink.seriesWith("resource=memory")).isNotEmpty();
      engine.apply(ClusterQueue.builder()
          .from(engine.view().clusterQueue("q").orElseThrow().spec())
          .resourceGroups(ImmutableList.of(
              ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "1")))))
          .build());
      metrics.refresh(engine);
      assertThat(sink.seriesWith("resource=memory")).isEmpty();
      assertThat(sink.seriesWith("resource=cpu")).isNotEmpty();
    }

    @Test
    void theRoleIsThatOfTheTimeOfWriting() {
      queue("q", 10);
      engine.tryAdmit(job("a", "q", 1));
      metrics.refresh(engine);
      role = ReplicaRole.LEADER;
      metrics.refresh(engine);
      assertThat(sink.seriesWith("kueue_pending_workloads"))
          .hasSize(2)
          .allMatch(series -> series.endsWith("replica_role=leader}"));
      assertThat(sink.seriesWith("admitted_workloads_total"))
          .allMatch(series -> series.endsWith("replica_role=standalone}"));
    }

    @Test
    void groupsThatAreNotWantedAreNotWritten() {
      metrics = KueueMetrics.builder(sink)
          .groups(ImmutableList.of(MetricGroup.HEALTH, MetricGroup.CLUSTER_QUEUE))
          .build();
      engine = engine();
      queue("q", 10, queue -> queue.cohort("c"));
      engine.submit(job("a", "q", 1));
      cycle();
      engine.lifecycle().setPodsReady(id("a"), true);
      engine.finish(id("a"));
      metrics.refresh(engine);
      assertThat(sink.seriesWith("local_queue")).isEmpty();
      assertThat(sink.seriesWith("cohort_subtree")).isEmpty();
      assertThat(sink.seriesWith("nominal_quota")).isEmpty();
      assertThat(sink.seriesWith("ready_wait")).isEmpty();
      assertThat(sink.seriesWith("admitted_workloads_total")).hasSize(1);
    }
  }

  @Nested
  class Table {
    @Test
    void bucketsAreThoseOfKueue() {
      assertThat(KueueMetric.QUOTA_RESERVED_WAIT_TIME_SECONDS.buckets())
          .hasSize(14)
          .startsWith(1.0, 2.5, 5.0, 10.0)
          .endsWith(10240.0);
      assertThat(KueueMetric.EXECUTION_TIME_SECONDS.buckets()).hasSize(16).endsWith(40960.0);
      assertThat(KueueMetric.WORKLOAD_CREATION_LATENCY_SECONDS.buckets())
          .hasSize(11)
          .startsWith(0.01, 0.02)
          .endsWith(10.24);
    }

    @Test
    void onlyHistogramsHaveBuckets() {
      for (KueueMetric metric : KueueMetric.values()) {
        assertThat(metric.buckets().isEmpty())
            .as(metric.metricName())
            .isEqualTo(metric.type() != MetricType.HISTOGRAM);
        assertThat(metric.labels()).as(metric.metricName()).doesNotHaveDuplicates();
        assertThat(metric.metricName()).matches("kueue_[a-z_]+");
        assertThat(metric.metricName().endsWith("_total"))
            .as(metric.metricName())
            .isEqualTo(metric.type() == MetricType.COUNTER);
      }
    }

    @Test
    void fairSharingUsageIsWrittenWhereItIsRemembered() {
      queue("q", 10);
      metrics.refresh(engine);
      assertThat(sink.seriesWith("admission_fair_sharing_usage")).isEmpty();
      engine = AdmissionEngine.builder()
          .clock(() -> now)
          .settings(Settings.builder()
              .admissionFairSharing(AdmissionFairSharing.of(Duration.ofHours(1)))
              .build())
          .listener(metrics, failures::add)
          .build();
      engine.apply(ResourceFlavor.of("spot"));
      queue(
          "q", 10, queue -> queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING));
      engine.tryAdmit(job("a", "q", 4));
      pass(3600);
      engine.tick();
      assertThat(value("local_queue_admission_fair_sharing_usage"
              + "{name=lq-q,namespace=ns,cluster_queue=q}"))
          .isPositive();
    }
  }
}
