package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.Size;

/** Pods are created, finish and are created again; each time the gated ones are placed. */
class PodPlacerProperties {
  private static final int MAX_ROUNDS = 24;

  private final Map<String, Pod> pods = new TreeMap<>();
  private int created;

  private static PlacedWorkload workload(List<Boolean> counts, boolean indexed) {
    String[] hosts = new String[counts.size()];
    int count = 0;
    for (int i = 0; i < hosts.length; i++) {
      int onHost = counts.get(i) ? 1 : 3;
      hosts[i] = "h" + i + "=" + onHost;
      count += onHost;
    }
    return new PlacedWorkload()
        .podSet(
            PodSet.builder()
                .count(count)
                .topologyRequest(indexed ? PlacedWorkload.indexed() : TopologyRequest.anywhere()),
            hosts);
  }

  /** The number of pods on each host, after all that fit are placed. */
  private static Multiset<String> places(PlacedWorkload workload) {
    Multiset<String> places = HashMultiset.create();
    workload
        .admission()
        .podSetAssignments()
        .get(0)
        .topologyAssignment()
        .orElseThrow()
        .domains()
        .forEach(domain -> places.add(domain.values().get(0), domain.count()));
    return places;
  }

  /**
   * What happens in one round.
   *
   * @param index the index of the pod that is created, counted around
   * @param replaces whether the first pod is deleted
   * @param places whether the pods are placed
   * @param order determines the order in which the pods are given
   */
  record Round(int index, boolean replaces, boolean places, int order) {}

  @Provide
  Arbitrary<List<Round>> rounds() {
    return Combinators.combine(
            Arbitraries.integers()
                .between(0, 1 << 10)
                .withDistribution(RandomDistribution.uniform()),
            Arbitraries.integers().between(0, 2).map(number -> number == 2),
            Arbitraries.of(true, false),
            Arbitraries.integers()
                .between(0, 1 << 10)
                .withDistribution(RandomDistribution.uniform()))
        .as(Round::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(MAX_ROUNDS)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  private void place(PlacedWorkload workload, int order) {
    List<Pod> given = new ArrayList<>(pods.values());
    Collections.shuffle(given, new Random(order));
    workload
        .place(given.toArray(Pod[]::new))
        .forEach(
            placement -> pods.put(placement.pod().getMetadata().getName(), placement.ungated()));
  }

  private void create(int index) {
    String name = "pod-" + created++;
    pods.put(name, PlacedWorkload.pod(name, index));
  }

  private Multiset<String> running() {
    Multiset<String> running = HashMultiset.create();
    pods.values().stream()
        .filter(pod -> pod.getSpec().getSchedulingGates().isEmpty())
        .map(pod -> pod.getSpec().getNodeSelector())
        .forEach(selector -> running.add(
            Objects.requireNonNull(selector.get(Topology.HOSTNAME), "an ungated pod has a host")));
    return running;
  }

  @Property(tries = 200)
  void anIndexHasOneHostForEver(
      @ForAll @Size(min = 1, max = 5) List<Boolean> counts, @ForAll("rounds") List<Round> rounds) {
    pods.clear();
    PlacedWorkload workload = workload(counts, true);
    int count = workload.workload().podSets().get(0).count();
    List<String> hostOfIndex = new ArrayList<>();
    workload
        .admission()
        .podSetAssignments()
        .get(0)
        .topologyAssignment()
        .orElseThrow()
        .domains()
        .forEach(domain -> hostOfIndex.addAll(
            Collections.nCopies(domain.count(), domain.values().get(0))));
    for (Round round : rounds) {
      int index = round.index() % count;
      pods.values().removeIf(pod -> index(pod) == index);
      create(index);
      if (round.places()) {
        place(workload, round.order());
      }
    }
    place(workload, rounds.size());
    assertThat(pods.values())
        .allSatisfy(pod -> assertThat(pod.getSpec().getNodeSelector().get(Topology.HOSTNAME))
            .isEqualTo(hostOfIndex.get(index(pod))));
  }

  @Property(tries = 200)
  void noHostGetsMoreThanItsShareAndNoPlaceStaysFree(
      @ForAll @Size(min = 1, max = 5) List<Boolean> counts,
      @ForAll boolean indexed,
      @ForAll("rounds") List<Round> rounds) {
    pods.clear();
    PlacedWorkload workload = workload(counts, indexed);
    Multiset<String> places = places(workload);
    for (Round round : rounds) {
      // Indexes are random, so some are duplicates or out of range.
      create(round.index() % (places.size() + 2));
      if (round.replaces()) {
        pods.remove(pods.keySet().iterator().next());
      }
      place(workload, round.order());
      Multiset<String> running = running();
      assertThat(running.elementSet())
          .allSatisfy(
              host -> assertThat(running.count(host)).isLessThanOrEqualTo(places.count(host)));
      assertThat(running).hasSize(Math.min(pods.size(), places.size()));
    }
  }

  private static int index(Pod pod) {
    return Integer.parseInt(pod.getMetadata().getLabels().get(PlacedWorkload.INDEX));
  }
}
