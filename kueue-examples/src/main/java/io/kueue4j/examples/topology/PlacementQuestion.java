package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Computes where a job would be placed if it were submitted now, and how large it could be: on
 * private forks of the engine, so that nothing changes, and by its own decisions.
 */
public final class PlacementQuestion {
  /** The name of the trial workload: the job itself may already exist. */
  private static final String NAME = "request";

  private final EngineView view;
  private final List<Node> nodes;
  private final SimulatedJob job;
  private final Workload workload;

  private PlacementQuestion(ManifestPlayer simulation, SimulatedJob job) {
    this.view = simulation.engine().view();
    this.nodes = simulation.configuration(Node.class);
    this.job = job;
    this.workload = withPodSets(
        job.workload(),
        Workload.builder().from(job.workload()),
        podSet -> PodSet.builder().from(podSet).minCount(OptionalInt.empty()).build());
  }

  /** {@return where {@code job} would be placed, and how large it could be} */
  public static PlacementAnswer ask(ManifestPlayer simulation, SimulatedJob job) {
    return new PlacementQuestion(simulation, job).answer();
  }

  private PlacementAnswer answer() {
    AdmissionEngine study = view.whatIf();
    AdmissionResult result = study.tryAdmit(workload).result();
    Optional<Admission> admission = admission(result);
    if (result instanceof AdmissionResult.Preempting preempting) {
      AdmissionResult unused =
          study.tryAdmit(workload, TryAdmitOptions.evictingVictims()).result();
      preempting.victims().forEach(victim -> study.podsStopped(victim.workload()));
      admission = admission(study.tryAdmit(workload).result());
    }
    return new PlacementAnswer(
        job, result, admission, largestPodSet().name(), largestCount(), largestPod());
  }

  /** {@return the pod set whose number of pods is varied} */
  private PodSet largestPodSet() {
    return workload.podSets().stream()
        .max(Comparator.comparingInt(PodSet::count))
        .orElseThrow();
  }

  private OptionalInt largestCount() {
    PodSet varied = largestPodSet();
    int step = sliceSize(varied.topologyRequest());
    for (int count = bound(varied) / step * step; count > 0; count -= step) {
      int tried = count;
      if (fits(podSet -> podSet.name().equals(varied.name())
          ? PodSet.builder().from(podSet).count(tried).build()
          : podSet)) {
        return OptionalInt.of(count);
      }
    }
    return OptionalInt.empty();
  }

  /** {@return an upper bound from the free capacity of all nodes, ignoring other requests} */
  private int bound(PodSet podSet) {
    long bound = 0;
    Map<String, Long> requests = FlavorCapacity.requests(podSet);
    for (Node node : nodes) {
      bound += requests.entrySet().stream()
          .filter(request -> request.getValue() > 0)
          .mapToLong(request -> Math.max(
              (node.allocatable().getOrDefault(request.getKey(), 0L)
                      - node.usedByOthers().getOrDefault(request.getKey(), 0L))
                  / request.getValue(),
              0))
          .min()
          .orElse(0);
    }
    return Ints.saturatedCast(bound);
  }

  /**
   * {@return for each resource the largest amount that pods could request, if it is less than their
   * request}
   */
  private Map<String, Long> largestPod() {
    PodSet varied = largestPodSet();
    ImmutableMap.Builder<String, Long> largest = ImmutableMap.builder();
    for (Map.Entry<String, Long> request : varied.requests().entrySet()) {
      long fitting = 0;
      long tooMuch = request.getValue();
      while (tooMuch - fitting > 1) {
        long middle = (fitting + tooMuch) / 2;
        if (fits(podSet -> podSet.name().equals(varied.name())
            ? asking(podSet, request.getKey(), middle)
            : podSet)) {
          fitting = middle;
        } else {
          tooMuch = middle;
        }
      }
      if (fitting > 0) {
        largest.put(request.getKey(), fitting);
      }
    }
    return largest.buildOrThrow();
  }

  private static PodSet asking(PodSet podSet, String resource, long amount) {
    Map<String, Long> requests = new TreeMap<>(podSet.requests());
    requests.put(resource, amount);
    return PodSet.builder()
        .name(podSet.name())
        .count(podSet.count())
        .putAllRequests(requests)
        .topologyRequest(podSet.topologyRequest())
        .nodeSelector(podSet.nodeSelector())
        .addAllTolerations(podSet.tolerations())
        .nodeAffinity(podSet.nodeAffinity())
        .addAllPreferredNodeAffinity(podSet.preferredNodeAffinity())
        .group(podSet.group())
        .shape(podSet.shape())
        .build();
  }

  /** A change of one pod set. */
  private interface Variation {
    PodSet of(PodSet podSet);
  }

  private boolean fits(Variation variation) {
    Workload varied = withPodSets(workload, Workload.builder().from(workload), variation);
    return view.whatIf().tryAdmit(varied).result().isAdmitted();
  }

  private static Workload withPodSets(
      Workload workload, Workload.Builder builder, Variation variation) {
    List<PodSet> podSets = new ArrayList<>();
    workload.podSets().forEach(podSet -> podSets.add(variation.of(podSet)));
    return builder.name(NAME).podSets(podSets).build();
  }

  private static int sliceSize(TopologyRequest request) {
    int size = request.sliceConstraints().isEmpty()
        ? request.sliceSize().orElse(1)
        : request.sliceConstraints().get(0).size();
    return Math.max(size, 1);
  }

  private static Optional<Admission> admission(AdmissionResult result) {
    return result.match(
        admitted -> Optional.of(admitted.admission()),
        reserved -> Optional.of(reserved.admission()),
        preempting -> Optional.empty(),
        pending -> Optional.empty(),
        rejected -> Optional.empty());
  }
}
