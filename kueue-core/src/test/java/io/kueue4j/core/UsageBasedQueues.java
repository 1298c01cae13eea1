package io.kueue4j.core;

import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.LocalQueue;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * ClusterQueues whose LocalQueues are served by usage, with half-life ten minutes, sampled every
 * five: a penalty is 0.29289… of the requests.
 */
final class UsageBasedQueues {
  static final AdmissionFairSharing SHARING = AdmissionFairSharing.of(Duration.ofMinutes(10));
  static final String PENALTY_OF_ONE = "0.292893218";

  static Cluster cluster(AdmissionFairSharing sharing) {
    return new Cluster(Settings.builder().admissionFairSharing(sharing).build());
  }

  static ClusterQueue.Builder usageBased(String name, int cpu) {
    return Queues.queue(name, cpu).admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
  }

  static LocalQueue localQueue(String name, double weight) {
    return LocalQueue.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .clusterQueue("cq")
        .fairSharingWeight(weight)
        .build();
  }

  @CanIgnoreReturnValue
  static Cluster open(Cluster cluster, ClusterQueue.Builder queue) {
    return cluster.with(queue.build(), localQueue("a", 1), localQueue("b", 1));
  }

  static LocalQueueView view(Cluster cluster, String localQueue) {
    return cluster.engine.view().localQueue(Cluster.NAMESPACE, localQueue).orElseThrow();
  }

  static double usage(Cluster cluster, String localQueue) {
    return view(cluster, localQueue).fairSharingUsage().orElseThrow();
  }

  static void restore(Cluster cluster, String localQueue, String cpu) {
    cluster.engine.restoreConsumedUsage(
        Cluster.NAMESPACE, localQueue, consumed(cpu, Cluster.START));
  }

  static ConsumedUsage consumed(String cpu, Instant at) {
    return new ConsumedUsage(ImmutableSortedMap.of("cpu", new BigDecimal(cpu)), at);
  }

  private UsageBasedQueues() {}
}
