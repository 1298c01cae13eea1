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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** Pods are created, finish and are created again; each time the gated ones are placed. */
class PodPlacerProperties {
  private static final int ROUNDS = 12;

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

  private void place(PlacedWorkload workload, Random random) {
    List<Pod> given = new ArrayList<>(pods.values());
    Collections.shuffle(given, random);
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
      @ForAll @Size(min = 1, max = 5) List<Boolean> counts, @ForAll long seed) {
    pods.clear();
    Random random = new Random(seed);
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
    for (int round = 0; round < ROUNDS; round++) {
      int index = random.nextInt(count);
      pods.values().removeIf(pod -> index(pod) == index);
      create(index);
      if (random.nextBoolean()) {
        place(workload, random);
      }
    }
    place(workload, random);
    assertThat(pods.values())
        .allSatisfy(pod -> assertThat(pod.getSpec().getNodeSelector().get(Topology.HOSTNAME))
            .isEqualTo(hostOfIndex.get(index(pod))));
  }

  @Property(tries = 200)
  void noHostGetsMoreThanItsShareAndNoPlaceStaysFree(
      @ForAll @Size(min = 1, max = 5) List<Boolean> counts,
      @ForAll boolean indexed,
      @ForAll long seed) {
    pods.clear();
    Random random = new Random(seed);
    PlacedWorkload workload = workload(counts, indexed);
    Multiset<String> places = places(workload);
    for (int round = 0; round < ROUNDS; round++) {
      // Indexes are random, so some are duplicates or out of range.
      create(random.nextInt(places.size() + 2));
      if (random.nextInt(3) == 0) {
        pods.remove(pods.keySet().iterator().next());
      }
      place(workload, random);
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
