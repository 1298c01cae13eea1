package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FinishedSlice;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import java.util.stream.Collectors;

/** Elastic jobs whose pods have one GPU each, in a {@link PreemptionCluster}. */
final class ElasticCluster {
  private ElasticCluster() {}

  /** {@return an elastic slice with one pod set} */
  static Workload.Builder slice(PreemptionCluster cluster, String name, String queue, int pods) {
    return cluster.jobWithoutPods(name, queue, 0).elastic(true).addPodSets(pods("main", pods));
  }

  /** {@return an elastic slice with one pod set that replaces another} */
  static Workload.Builder slice(
      PreemptionCluster cluster, String name, String queue, int pods, String replaced) {
    return slice(cluster, name, queue, pods).replaces(PreemptionCluster.id(replaced));
  }

  static PodSet pods(String name, int count) {
    return PodSet.builder()
        .name(name)
        .count(count)
        .request(PreemptionCluster.GPU, "1")
        .build();
  }

  /** {@return the same workload with other pods} */
  static Workload scaled(Workload workload, PodSet... podSets) {
    return Workload.builder()
        .from(workload)
        .podSets(ImmutableList.copyOf(podSets))
        .build();
  }

  /** {@return the finished elastic slices, as {@code slice -> successor: reason}} */
  static ImmutableList<String> finished(Iterable<FinishedSlice> slices) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    slices.forEach(slice -> lines.add(
        slice.workload().name() + " -> " + slice.successor().name() + ": " + slice.reason()));
    return lines.build();
  }

  /** {@return the reasons of a result, as {@code code flavor asked}} */
  static ImmutableList<String> reasons(AdmissionResult result) {
    return result
        .match(
            admitted -> ImmutableList.<Reason>of(),
            AdmissionResult.Reserved::reasons,
            preempting -> ImmutableList.<Reason>of(),
            AdmissionResult.Pending::reasons,
            AdmissionResult.Rejected::reasons)
        .stream()
        .map(reason -> reason.code() + " " + reason.flavor().orElse("-")
            + reason.asked().stream().mapToObj(asked -> " " + asked).collect(Collectors.joining()))
        .collect(toImmutableList());
  }
}
