package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random elastic jobs grow and shrink on a few hosts: no host has more pods than cpus, every pod
 * has a place, and running pods keep their places.
 */
class ElasticTopologyProperties {
  private static final int JOBS = 4;
  private static final int STEPS = 40;

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void podsStayAndHostsAreNotOverfilled(@ForAll long seed, @ForAll boolean strict) {
    Random random = new Random(seed);
    Map<String, Integer> cpus = new TreeMap<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      int cpu = 1 + random.nextInt(6);
      cpus.put("x" + i, cpu);
      text.append(i == 0 ? "" : " ").append("r").append(i / 2).append("/x").append(i);
      text.append(":").append(cpu);
    }
    Cluster hosts = Hosts.cluster(
        Settings.builder()
            .strictTopology(strict)
            .putFeatureGates(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS, true)
            .build(),
        text.toString());
    Map<Integer, Workload> running = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      int job = random.nextInt(JOBS);
      Optional<Workload> old = Optional.ofNullable(running.remove(job));
      if (old.isPresent() && random.nextInt(4) == 0) {
        hosts.engine.finish(old.get().id());
      } else {
        scale(hosts, old, "job" + job + "-" + step, 1 + random.nextInt(8))
            .ifPresent(slice -> running.put(job, slice));
      }
      assertFits(hosts, running, cpus);
    }
  }

  /** {@return the slice that runs afterwards, if any} */
  private static Optional<Workload> scale(
      Cluster hosts, Optional<Workload> old, String name, int count) {
    Workload.Builder slice = Workload.builder()
        .from(workload(name, pods(count, "1", TopologyRequest.anywhere())))
        .elastic(true);
    if (old.isEmpty()) {
      return Optional.of(slice.build())
          .filter(first -> hosts.engine.tryAdmit(first).isAdmitted());
    }
    Map<String, Integer> before = places(hosts, old.get());
    Workload next = slice.replaces(old.get().id()).build();
    if (!hosts.engine.tryAdmit(next).isAdmitted()) {
      assertThat(places(hosts, old.get())).isEqualTo(before);
      return old;
    }
    assertThat(hosts.engine.admission(old.get().id())).isEmpty();
    Map<String, Integer> after = places(hosts, next);
    boolean grows = count >= old.get().podSets().get(0).count();
    Map<String, Integer> larger = grows ? after : before;
    (grows ? before : after)
        .forEach(
            (host, stayed) -> assertThat(stayed).isLessThanOrEqualTo(larger.getOrDefault(host, 0)));
    return Optional.of(next);
  }

  private static void assertFits(
      Cluster hosts, Map<Integer, Workload> running, Map<String, Integer> cpus) {
    Map<String, Integer> used = new TreeMap<>();
    for (Workload slice : running.values()) {
      Map<String, Integer> places = places(hosts, slice);
      assertThat(places.values().stream().mapToInt(Integer::intValue).sum())
          .isEqualTo(slice.podSets().get(0).count());
      places.forEach((host, count) -> used.merge(host, count, Integer::sum));
    }
    used.forEach((host, count) ->
        assertThat(count).as(host).isLessThanOrEqualTo(cpus.getOrDefault(host, 0)));
  }

  private static Map<String, Integer> places(Cluster hosts, Workload slice) {
    Map<String, Integer> places = new TreeMap<>();
    hosts.engine.admission(id(slice.name())).orElseThrow().podSetAssignments().stream()
        .flatMap(podSet -> podSet.topologyAssignment().stream())
        .map(TopologyAssignment::domains)
        .forEach(domains -> domains.forEach(
            domain -> places.merge(domain.values().get(0), domain.count(), Integer::sum)));
    return places;
  }
}
