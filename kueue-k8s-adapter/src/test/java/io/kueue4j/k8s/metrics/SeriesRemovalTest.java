package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import org.junit.jupiter.api.Test;

/** The removal of series of removed objects and disabled metrics. */
class SeriesRemovalTest extends MeteredEngine {
  @Test
  void nothingIsLeftOfQueuesThatAreGone() {
    queue("gone", 10, queue -> queue.cohort("gone-cohort"));
    queue("stays", 10, queue -> queue.cohort("other"));
    AdmissionResult unused = engine.tryAdmit(job("a", "gone", 1)).result();
    AdmissionResult unused2 = engine.tryAdmit(job("b", "stays", 1)).result();
    metrics.refresh(engine);
    assertThat(sink.seriesWith("gone")).hasSizeGreaterThan(20);
    int staying = sink.seriesWith("stays").size();
    engine.finish(id("a"));
    engine.remove(ClusterQueue.class, "gone");
    engine.remove(LocalQueue.class, "ns/lq-gone");
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
    AdmissionResult unused3 = engine.tryAdmit(job("a", "q", 1)).result();
    metrics.refresh(engine);
    role = KueueMetrics.ReplicaRole.LEADER;
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
        .groups(ImmutableList.of(KueueMetric.Group.HEALTH, KueueMetric.Group.CLUSTER_QUEUE))
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
