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
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random elastic jobs grow and shrink on a few hosts: no host has more pods than cpus, every pod
 * has a place, and running pods keep their places.
 */
class ElasticTopologyProperties {
  private static final int JOBS = 4;
  private static final int STEPS = 40;

  /**
   * What happens to a job.
   *
   * @param job its number
   * @param finishes whether it finishes, if it runs
   * @param count the number of pods that it starts with or is scaled to otherwise
   */
  record Change(int job, boolean finishes, int count) {
    static Change draw(Choices choices) {
      return new Change(choices.nextInt(JOBS), choices.nextInt(4) == 3, 1 + choices.nextInt(8));
    }

    @Override
    public String toString() {
      return "job" + job + (finishes ? " finishes, or runs" : " runs") + " with " + count + " pods";
    }
  }

  /** The cpus of two to four hosts, two of them in each rack. */
  @Provide
  Arbitrary<List<Integer>> cpus() {
    return Choices.arbitrary(
        choices -> choices.list(1, 2 + choices.nextInt(3), host -> 1 + host.nextInt(6)));
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    return Choices.lists(STEPS, Change::draw);
  }

  @Property(tries = 300)
  void podsStayAndHostsAreNotOverfilled(
      @ForAll("cpus") List<Integer> cpus,
      @ForAll("changes") List<Change> changes,
      @ForAll boolean strict) {
    Map<String, Integer> capacity = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < cpus.size(); i++) {
      capacity.put("x" + i, cpus.get(i));
      lines.add("r" + i / 2 + "/x" + i + ":" + cpus.get(i));
    }
    Cluster hosts = Hosts.cluster(
        Settings.builder()
            .strictTopology(strict)
            .putFeatureGates(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS, true)
            .build(),
        String.join(" ", lines));
    Map<Integer, Workload> running = new TreeMap<>();
    int step = 0;
    for (Change change : changes) {
      Optional<Workload> old = Optional.ofNullable(running.remove(change.job()));
      if (old.isPresent() && change.finishes()) {
        hosts.engine.finish(old.get().id());
      } else {
        scale(hosts, old, "job" + change.job() + "-" + step, change.count())
            .ifPresent(slice -> running.put(change.job(), slice));
      }
      step++;
      assertFits(hosts, running, capacity);
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
          .filter(first -> hosts.engine.tryAdmit(first).result().isAdmitted());
    }
    Map<String, Integer> before = places(hosts, old.get());
    Workload next = slice.replaces(old.get().id()).build();
    if (!hosts.engine.tryAdmit(next).result().isAdmitted()) {
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
