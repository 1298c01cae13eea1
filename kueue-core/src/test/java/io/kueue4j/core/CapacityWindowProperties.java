package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * In random lives, no workload runs into a capacity window that keeps what it needs, and without
 * promises none waits that would not. A simple book checks that: it counts cores second by second.
 */
class CapacityWindowProperties {
  @Provide
  Arbitrary<Runnable> lives() {
    return Choices.arbitrary(choices -> () -> new Play(choices, false).run());
  }

  @Provide
  Arbitrary<Runnable> livesOnNodes() {
    return Choices.arbitrary(choices -> () -> new Play(choices, true).run());
  }

  @Property(tries = 40)
  void nobodyElseUsesWhatAWindowKeeps(@ForAll("lives") Runnable life) {
    life.run();
  }

  @Property(tries = 20)
  void nobodyElseUsesNodesOfAWindow(@ForAll("livesOnNodes") Runnable life) {
    life.run();
  }

  /** A life of an engine, second by second, with two queues of a cohort and one alone. */
  private static final class Play {
    private static final int LAST_SECOND = 40;
    private static final long EVER = 1000;

    private final Choices choices;
    private final boolean isPlaced;
    private final boolean promises;
    private final AdmissionEngine engine;

    /** The cores of each queue. */
    private final int[] cores = new int[3];

    private final Map<String, CapacityWindow> windows = new TreeMap<>();
    private final Map<WorkloadId, Job> waiting = new TreeMap<>();
    private final Map<WorkloadId, Job> running = new TreeMap<>();
    private final Map<WorkloadId, Long> ends = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private long second;
    private int submitted;

    /**
     * A job.
     *
     * @param limit how long it runs at most
     * @param end when it ends at the latest, if it runs
     * @param hosts its hosts, if it runs
     */
    private record Job(
        Workload workload, int queue, int cores, long limit, long end, List<String> hosts) {
      Job from(long start, List<String> onHosts) {
        return new Job(workload, queue, cores, limit, start + limit, onHosts);
      }
    }

    Play(Choices choices, boolean isPlaced) {
      this.choices = choices;
      this.isPlaced = isPlaced;
      int depth = choices.of(0, 0, 1, Backfill.UNLIMITED);
      this.promises = depth > 0;
      this.engine = AdmissionEngine.builder()
          .clock(() -> time(second))
          .settings(Settings.builder().backfill(Backfill.ofDepth(depth)).build())
          .assertions(choices.oneIn(8) ? AssertionMode.FULL : AssertionMode.NONE)
          .build();
    }

    private static Instant time(long second) {
      return Cluster.START.plusSeconds(second);
    }

    void run() {
      engine.apply(
          Topology.of("dc", Hosts.RACK, Topology.HOSTNAME),
          isPlaced ? Hosts.flavor(Cluster.FLAVOR) : ResourceFlavor.of(Cluster.FLAVOR));
      for (int host = 0; isPlaced && host < 4; host++) {
        engine.apply(Hosts.host("r%d/h%d:3".formatted(host / 2, host)));
      }
      for (int queue = 0; queue < cores.length; queue++) {
        cores[queue] = 2 + choices.nextInt(4);
        ClusterQueue built = Queues.queue("q" + queue, queue < 2 ? "cohort" : "alone", cores[queue])
            .build();
        engine.apply(built, Queues.localQueue(built.name()));
      }
      for (; second < LAST_SECOND; second++) {
        step();
      }
    }

    private void step() {
      ends.entrySet().removeIf(end -> {
        boolean isOver = end.getValue() <= second;
        return isOver
            && running.remove(end.getKey()) != null
            && !engine.finish(end.getKey()).removed().isEmpty();
      });
      if (choices.oneIn(6)) {
        changeWindow();
      }
      choices.repeat(2, i -> submit());
      Decisions decided = engine.runUntilStable(1000).decisions();
      for (Admission admission : decided.admitted()) {
        start(admission);
      }
      for (Admission admission : decided.admitted()) {
        assertThat(misfit(Objects.requireNonNull(running.get(admission.workload()))))
            .as(this::story)
            .isNull();
      }
      if (!promises && !isPlaced) {
        for (Job job : waiting.values()) {
          assertThat(misfit(job.from(second, List.of()))).as(this::story).isNotNull();
        }
      }
    }

    private void changeWindow() {
      String name = "w" + choices.nextInt(3);
      if (choices.oneIn(4)) {
        note("%s remove %s", second, name);
        windows.remove(name);
        engine.remove(CapacityWindow.class, name);
        return;
      }
      long start = second + choices.nextInt(20) - 2;
      CapacityWindow.Builder window = CapacityWindow.builder()
          .name(name)
          .start(time(start))
          .end(time(start + 1 + choices.nextInt(15)));
      if (isPlaced) {
        window.putNodeLabels(Hosts.RACK, "r" + choices.nextInt(2));
      } else {
        window
            .clusterQueue("q" + choices.nextInt(cores.length))
            .keep(Cluster.FLAVOR, "cpu", String.valueOf(1 + choices.nextInt(5)));
      }
      choices.repeat(2, i -> window.addWorkloads(id(submitted + i)));
      if (choices.oneIn(3)) {
        window.addLocalQueues("ns/q" + choices.nextInt(cores.length));
      }
      CapacityWindow built = window.build();
      note("%s apply %s", second, built);
      windows.put(name, built);
      engine.apply(built);
    }

    private static WorkloadId id(int number) {
      return Cluster.id("job%03d".formatted(number));
    }

    private void submit() {
      int queue = choices.nextInt(cores.length);
      int count = 1 + choices.nextInt(3);
      long limit = choices.oneIn(6) ? EVER : 1 + choices.nextInt(20);
      PodSet.Builder pods = PodSet.builder().request("cpu", String.valueOf(count));
      if (isPlaced) {
        pods.topologyRequest(TopologyRequest.required(Topology.HOSTNAME));
      }
      Workload.Builder workload = Workload.builder()
          .namespace(Cluster.NAMESPACE)
          .name(id(submitted++).name())
          .queueName("q" + queue)
          .creationTime(time(second))
          .addPodSets(pods.build());
      if (limit < EVER) {
        workload.maximumExecutionTime(Duration.ofSeconds(limit));
      }
      Workload built = workload.build();
      note("%s submit %s to q%s: %s for %s", second, built.name(), queue, count, limit);
      waiting.put(built.id(), new Job(built, queue, count, limit, 0, List.of()));
      engine.submit(built);
    }

    private void start(Admission admission) {
      List<String> hosts = admission.podSetAssignments().stream()
          .map(PodSetAssignment::topologyAssignment)
          .flatMap(assignment -> assignment.stream())
          .flatMap(assignment -> assignment.domains().stream())
          .map(domain -> domain.values().get(0))
          .toList();
      note("%s start %s on %s", second, admission.workload(), hosts);
      Job job = Objects.requireNonNull(waiting.remove(admission.workload())).from(second, hosts);
      running.put(admission.workload(), job);
      long runs =
          choices.oneIn(3) || job.limit == EVER ? job.limit : 1 + choices.nextInt((int) job.limit);
      ends.put(admission.workload(), second + runs);
    }

    /** {@return the second at which a job would use what is not free, null if there is none} */
    private @Nullable Long misfit(Job job) {
      for (long at = second; at < job.end; at++) {
        for (CapacityWindow window : windows.values()) {
          boolean isOpen = !window.start().isAfter(time(at)) && window.end().isAfter(time(at));
          if (isOpen && !isBeneficiary(job, window) && isOnNodes(job, window)) {
            return at;
          }
        }
        if (used(job, at) > capacity(job.queue)) {
          return at;
        }
      }
      return null;
    }

    private static boolean isOnNodes(Job job, CapacityWindow window) {
      String rack = window.nodeLabels().get(Hosts.RACK);
      return job.hosts.stream().anyMatch(host -> ("r" + (host.charAt(1) - '0') / 2).equals(rack));
    }

    private int capacity(int queue) {
      return queue == 2 ? cores[2] : cores[0] + cores[1];
    }

    /** {@return what a job and all others use, and the windows keep from it, in its cohort} */
    private long used(Job job, long at) {
      long used = job.cores;
      for (Job other : running.values()) {
        boolean isOther = !other.workload.equals(job.workload) && other.end > at;
        used += isOther && (other.queue == 2) == (job.queue == 2) ? other.cores : 0;
      }
      for (CapacityWindow window : windows.values()) {
        boolean isOpen = !window.start().isAfter(time(at)) && window.end().isAfter(time(at));
        if (isOpen && !isPlaced && !isBeneficiary(job, window)) {
          boolean isInCohort = window.clusterQueue().orElseThrow().equals("q2") == (job.queue == 2);
          used += isInCohort ? kept(window, at) : 0;
        }
      }
      return used;
    }

    private long kept(CapacityWindow window, long at) {
      long kept = window.amounts().get(0).amount() / 1000;
      for (Job other : running.values()) {
        kept -= other.end > at && isBeneficiary(other, window) ? other.cores : 0;
      }
      return Math.max(0, kept);
    }

    private static boolean isBeneficiary(Job job, CapacityWindow window) {
      String queue = "q" + job.queue;
      boolean isOfQueue =
          window.clusterQueue().isEmpty() || window.clusterQueue().get().equals(queue);
      return isOfQueue && window.isFor(job.workload.id(), "ns/" + queue);
    }

    @FormatMethod
    private void note(@FormatString String format, @Nullable Object... values) {
      story.add(format.formatted(values));
    }

    private String story() {
      return String.join("\n", story);
    }
  }
}
