package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import org.junit.jupiter.api.Test;

/** The gauges of queues and cohorts. */
class QueueGaugesTest extends MeteredEngine {
  @Test
  void whatWaitsAndWhatRuns() {
    queue("q", 10);
    engine.submit(job("large", "q", 20));
    engine.submit(job("huge", "q", 30));
    cycle();
    cycle();
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 4)).result();
    engine.submit(job("b", "q", 5));
    engine.submit(job("c", "q", 5));
    assertThat(value("pending_workloads{cluster_queue=q,status=active}")).isEqualTo(2);
    assertThat(value("pending_workloads{cluster_queue=q,status=inadmissible}")).isEqualTo(2);
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
    assertThat(value("cluster_queue_borrowing_limit" + memory)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void statusSaysOneThing() {
    queue("q", 10);
    assertThat(value("cluster_queue_status{cluster_queue=q,status=active}")).isEqualTo(1);
    assertThat(value("cluster_queue_status{cluster_queue=q,status=pending}")).isZero();
    assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=True}")).isEqualTo(1);
    engine.submit(job("a", "q", 1));
    queue("q", 10, queue -> queue.stopPolicy(StopPolicy.HOLD));
    assertThat(value("pending_workloads{cluster_queue=q,status=active}")).isZero();
    assertThat(value("pending_workloads{cluster_queue=q,status=inadmissible}")).isEqualTo(1);
    assertThat(value("pending_scheduling_hashes{cluster_queue=q,status=inadmissible}"))
        .isEqualTo(1);
    assertThat(value("local_queue_pending_workloads{name=lq-q,namespace=ns,status=inadmissible}"))
        .isEqualTo(1);
    assertThat(value("cluster_queue_status{cluster_queue=q,status=active}")).isZero();
    assertThat(value("cluster_queue_status{cluster_queue=q,status=pending}")).isEqualTo(1);
    assertThat(value("cluster_queue_status{cluster_queue=q,status=terminating}"))
        .isZero();
    assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=True}")).isZero();
    assertThat(value("local_queue_status{name=lq-q,namespace=ns,active=False}")).isEqualTo(1);
  }

  @Test
  void cohortsAreShownAsATree() {
    engine.apply(
        io.kueue4j.core.model.Cohort.builder().name("low").parent("high").build());
    queue("a", 10, queue -> queue.cohort("low"));
    queue("b", 5, queue -> queue.cohort("low"));
    AdmissionResult unused2 = engine.tryAdmit(job("one", "a", 12)).result();
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
    queue("a", 1, queue -> queue.cohort("c").fairSharingWeight(0));
    queue("b", 5, queue -> queue.cohort("c"));
    AdmissionResult unused3 = engine.tryAdmit(job("one", "a", 2)).result();
    assertThat(value("cluster_queue_weighted_share{cluster_queue=a,cohort=c}")).isNaN();
  }
}
