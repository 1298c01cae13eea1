package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ResourceFlavor;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The table of metrics. */
class KueueMetricTest extends MeteredEngine {
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
          .isEqualTo(metric.type() != KueueMetric.Type.HISTOGRAM);
      assertThat(metric.labels()).as(metric.metricName()).doesNotHaveDuplicates();
      assertThat(metric.metricName())
          .matches(
              metric.group() == KueueMetric.Group.PROMISES ? "kueue4j_promise.*" : "kueue_[a-z_]+");
      assertThat(metric.metricName().endsWith("_total"))
          .as(metric.metricName())
          .isEqualTo(metric.type() == KueueMetric.Type.COUNTER);
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
    queue("q", 10, queue -> queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING));
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 4)).result();
    pass(3600);
    engine.tick();
    assertThat(value("local_queue_admission_fair_sharing_usage"
            + "{name=lq-q,namespace=ns,cluster_queue=q}"))
        .isPositive();
  }
}
