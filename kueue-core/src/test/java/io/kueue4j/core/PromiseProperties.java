package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
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
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Promises are kept in random clusters with borrowing and places on nodes, where workloads run at
 * most as long as expected.
 */
class PromiseProperties {
  /** What may happen in a life, and with it what a promise may move for. */
  private enum Life {
    /** All priorities are equal, and nobody may preempt others. */
    PLAIN,
    /** The same with pods that are placed on nodes. */
    PLACED,
    /** Priorities differ, queues reclaim, and quotas shrink. */
    DISTURBED
  }

  @Provide
  Arbitrary<Runnable> plain() {
    return Choices.arbitrary(choices -> () -> new Play(choices, Life.PLAIN).run());
  }

  @Provide
  Arbitrary<Runnable> placed() {
    return Choices.arbitrary(choices -> () -> new Play(choices, Life.PLACED).run());
  }

  @Provide
  Arbitrary<Runnable> disturbed() {
    return Choices.arbitrary(choices -> () -> new Play(choices, Life.DISTURBED).run());
  }

  @Property(tries = 60)
  void noPromiseMovesToALaterTime(@ForAll("plain") Runnable life) {
    life.run();
  }

  @Property(tries = 40)
  void noPromiseOfPlacesMovesToALaterTime(@ForAll("placed") Runnable life) {
    life.run();
  }

  @Property(tries = 40)
  void whatMovesAPromiseHasAName(@ForAll("disturbed") Runnable life) {
    life.run();
  }

  /** A life of an engine, second by second. */
  private static final class Play {
    private static final int QUEUES = 3;

    private final Choices choices;
    private final Life life;
    private final AdmissionEngine engine;
    private final Map<WorkloadId, Instant> promised = new HashMap<>();
    private final Map<WorkloadId, Instant> ends = new TreeMap<>();
    private final Map<WorkloadId, Long> runs = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private Instant now = Cluster.START;
    private int submitted;
    /** Whether quota has shrunk, or a workload was preempted. */
    private boolean isDisturbed;

    Play(Choices choices, Life life) {
      this.choices = choices;
      this.life = life;
      Backfill backfill = Backfill.ofDepth(choices.of(1, 2, 3, Backfill.UNLIMITED))
          .withFillerOrder(choices.of(FillerOrder.QUEUE_ORDER, FillerOrder.SHORTEST_FIRST));
      this.engine = AdmissionEngine.builder()
          .clock(() -> now)
          .settings(Settings.builder().backfill(backfill).build())
          .assertions(choices.oneIn(10) ? AssertionMode.FULL : AssertionMode.NONE)
          .build();
    }

    void run() {
      configure();
      for (int second = 0; second < 40; second++) {
        step();
      }
    }

    private void configure() {
      boolean isPlaced = life == Life.PLACED;
      engine.apply(
          Topology.of("dc", Hosts.RACK, Topology.HOSTNAME),
          isPlaced ? Hosts.flavor(Cluster.FLAVOR) : ResourceFlavor.of(Cluster.FLAVOR));
      for (int host = 0; isPlaced && host < 4; host++) {
        Node node = Hosts.host("r%d/h%d:3".formatted(host / 2, host));
        engine.apply(node);
      }
      for (int number = 0; number < QUEUES; number++) {
        applyQueue(number, 2 + choices.nextInt(4));
      }
    }

    private void applyQueue(int number, int cores) {
      Policy policy = life == Life.DISTURBED ? choices.of(Policy.NEVER, Policy.ANY) : Policy.NEVER;
      String name = "q" + number;
      String cohort = choices.oneIn(4) ? "other" : "cohort";
      note("%s apply %s of %s with %s cores, %s", seconds(now), name, cohort, cores, policy);
      engine.apply(
          Queues.queue(name, cohort, cores)
              .preemption(Preemption.builder().reclaimWithinCohort(policy).build())
              .build(),
          Queues.localQueue(name));
    }

    private void step() {
      now = now.plusSeconds(1);
      ends.entrySet().removeIf(end -> {
        boolean isOver = !end.getValue().isAfter(now);
        return isOver && !engine.finish(end.getKey()).removed().isEmpty();
      });
      choices.repeat(3, i -> submit());
      if (life == Life.DISTURBED && choices.oneIn(8)) {
        isDisturbed = true;
        applyQueue(choices.nextInt(QUEUES), 1 + choices.nextInt(4));
      }
      Decisions decided = engine.runUntilStable(1000).decisions();
      check(decided);
      for (int rounds = 0; !decided.preempted().isEmpty(); rounds++) {
        assertThat(rounds).as(this::story).isLessThan(20);
        decided = engine.runUntilStable(1000).decisions();
        check(decided);
      }
      for (Promise promise : engine.promises()) {
        assertThat(promise.start()).as(this::story).isAfterOrEqualTo(now.minusSeconds(1));
      }
    }

    private void submit() {
      Workload.Builder workload = Workload.builder()
          .namespace(Cluster.NAMESPACE)
          .name("job%03d".formatted(submitted++))
          .queueName("q" + choices.nextInt(QUEUES))
          .creationTime(now)
          .priority(life == Life.DISTURBED ? choices.nextInt(3) : 0);
      long limit = 1L + choices.nextInt(20);
      if (!choices.oneIn(10)) {
        workload.maximumExecutionTime(Duration.ofSeconds(limit));
      }
      PodSet.Builder pods = PodSet.builder()
          .count(1 + choices.nextInt(2))
          .request("cpu", String.valueOf(1 + choices.nextInt(3)));
      if (life == Life.PLACED) {
        pods.topologyRequest(choices.of(
            TopologyRequest.required(Hosts.RACK), TopologyRequest.required(Topology.HOSTNAME)));
      }
      Workload built = workload.addPodSets(pods.build()).build();
      note(
          "%s submit %s to %s: %s",
          seconds(now),
          built.name(),
          built.queueName(),
          built.podSets().get(0).count() + " of " + built.podSets().get(0).requests());
      note("    limit %s priority %s", built.maximumExecutionTime(), built.priority());
      runs.put(built.id(), choices.oneIn(3) ? limit : 1 + choices.nextInt((int) limit));
      engine.submit(built);
    }

    @FormatMethod
    private void note(@FormatString String format, @Nullable Object... values) {
      story.add(format.formatted(values));
    }

    private String story() {
      return String.join("\n", story);
    }

    private static String text(Decision decision) {
      if (decision instanceof PromiseChange change) {
        return "promise %s: %s to %s: %s"
            .formatted(
                change.workload(),
                change.before().map(before -> seconds(before.start())),
                change.promise().map(promise -> seconds(promise.start())),
                change.reason());
      }
      return decision.getClass().getSimpleName() + " " + decision.workload();
    }

    private static long seconds(Instant time) {
      return Duration.between(Cluster.START, time).toSeconds();
    }

    private void check(Decisions decided) {
      for (Decision decision : decided.all()) {
        if (!(decision instanceof AdmissionResult.Pending)) {
          note("%s %s", seconds(now), text(decision));
        }
      }
      isDisturbed |= !decided.preempted().isEmpty();
      for (PromiseChange change : decided.promiseChanges()) {
        boolean isNamed = change.reason().contains("comes before it")
            || change.reason().contains("others come before it")
            || change.reason().contains("runs longer than expected")
            || (isDisturbed && change.reason().contains("less quota"));
        assertThat(change.isDelay() && (life != Life.DISTURBED || !isNamed))
            .as(this::story)
            .isFalse();
        if (change.promise().isPresent()) {
          promised.put(change.workload(), change.promise().get().start());
        } else {
          promised.remove(change.workload());
        }
      }
      for (PreemptionVictim victim : decided.preempted()) {
        ends.remove(victim.workload());
        engine.podsStopped(victim.workload());
      }
      for (Admission admission : decided.admitted()) {
        Instant limit = promised.remove(admission.workload());
        if (limit != null) {
          assertThat(now).as(this::story).isBeforeOrEqualTo(limit);
        }
        if (engine.admission(admission.workload()).isPresent()) {
          ends.put(
              admission.workload(), now.plusSeconds(runs.getOrDefault(admission.workload(), 1L)));
        }
      }
    }
  }
}
