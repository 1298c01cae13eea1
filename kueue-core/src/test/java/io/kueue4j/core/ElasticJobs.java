package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;

/** Creates elastic jobs for a {@link Cluster}, whose pods request one core each. */
final class ElasticJobs {
  private ElasticJobs() {}

  /** {@return an elastic slice with one pod set} */
  static Workload.Builder slice(Cluster cluster, String name, String queue, int pods) {
    return cluster.jobWithoutPods(name, queue).elastic(true).addPodSets(pods("main", pods));
  }

  /** {@return an elastic slice with one pod set that replaces another} */
  static Workload.Builder slice(
      Cluster cluster, String name, String queue, int pods, String replaced) {
    return slice(cluster, name, queue, pods).replaces(Cluster.id(replaced));
  }

  static PodSet pods(String name, int count) {
    return PodSet.builder().name(name).count(count).request("cpu", "1").build();
  }

  /** {@return the same workload with other pods} */
  static Workload scaled(Workload workload, PodSet... podSets) {
    return Workload.builder()
        .from(workload)
        .podSets(ImmutableList.copyOf(podSets))
        .build();
  }

  /** {@return the workloads that hold quota of the ClusterQueue {@code q}} */
  static List<WorkloadId> running(EngineView view) {
    return view.clusterQueue("q").orElseThrow().admitted().stream()
        .map(Admission::workload)
        .toList();
  }
}
