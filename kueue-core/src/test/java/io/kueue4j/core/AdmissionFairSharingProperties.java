package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * The order of service compared with {@link NaiveUsage} and a plain sort, after every operation.
 */
class AdmissionFairSharingProperties {
  private static final int LOCAL_QUEUES = 4;

  private enum Kind {
    SUBMIT,
    CYCLE,
    TRY,
    FINISH,
    DELETE,
    MOVE,
    WAIT,
    WEIGHT
  }

  /** One operation; its kind determines which numbers are used. */
  record Step(Kind kind, int target, int variant) {}

  @Provide
  Arbitrary<List<Step>> histories() {
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(Kind.SUBMIT)),
                Tuple.of(5, Arbitraries.just(Kind.CYCLE)),
                Tuple.of(1, Arbitraries.just(Kind.TRY)),
                Tuple.of(3, Arbitraries.just(Kind.FINISH)),
                Tuple.of(1, Arbitraries.just(Kind.DELETE)),
                Tuple.of(1, Arbitraries.just(Kind.MOVE)),
                Tuple.of(4, Arbitraries.just(Kind.WAIT)),
                Tuple.of(1, Arbitraries.just(Kind.WEIGHT))),
            Arbitraries.integers().between(0, 30),
            Arbitraries.integers().between(0, 30))
        .as(Step::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(80);
  }

  @Provide
  Arbitrary<AdmissionFairSharing> settings() {
    return Combinators.combine(
            Arbitraries.of(0, 60, 600, 86_400, 604_800), Arbitraries.of(60, 300, 777))
        .as((halfLife, interval) -> AdmissionFairSharing.of(Duration.ofSeconds(halfLife))
            .withUsageSamplingInterval(Duration.ofSeconds(interval)));
  }

  @Property(tries = 200)
  void headsComeInOrderOfUsage(
      @ForAll("settings") AdmissionFairSharing settings,
      @ForAll boolean strict,
      @ForAll("histories") List<Step> history) {
    Run run = new Run(settings, strict);
    for (Step step : history) {
      run.take(step);
      run.compare();
    }
  }

  private static final class Run {
    private final Cluster cluster;
    private final List<NaiveUsage> usages = new ArrayList<>();
    private final Map<WorkloadId, Workload> waiting = new LinkedHashMap<>();
    private final Map<WorkloadId, Workload> running = new LinkedHashMap<>();
    private Instant now = Cluster.START;
    private int created;

    Run(AdmissionFairSharing settings, boolean strict) {
      cluster = new Cluster(Settings.builder().admissionFairSharing(settings).build());
      ClusterQueue queue = Queues.queue("cq", 12)
          .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
          .queueingStrategy(
              strict ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO)
          .build();
      cluster.with(queue);
      for (int i = 0; i < LOCAL_QUEUES; i++) {
        usages.add(new NaiveUsage(settings, now));
        weigh(i, 1);
      }
    }

    private void weigh(int localQueue, double weight) {
      cluster.with(LocalQueue.builder()
          .namespace(Cluster.NAMESPACE)
          .name("q" + localQueue)
          .clusterQueue("cq")
          .fairSharingWeight(weight)
          .build());
      usages.get(localQueue).weight = weight;
    }

    private NaiveUsage usage(Workload workload) {
      return usages.get(workload.queueName().charAt(1) - '0');
    }

    private static long milliCores(Workload workload) {
      return workload.podSets().get(0).requests().getOrDefault("cpu", 0L);
    }

    void take(Step step) {
      switch (step.kind) {
        case SUBMIT -> {
          Workload workload = newWorkload(step);
          waiting.put(workload.id(), workload);
          cluster.submit(workload);
        }
        case CYCLE -> cycle();
        case TRY -> {
          Workload workload = newWorkload(step);
          if (cluster.engine.tryAdmit(workload).result() instanceof AdmissionResult.Admitted) {
            start(workload);
          }
        }
        case FINISH ->
          pick(running, step).forEach(workload -> {
            cluster.engine.finish(workload.id());
            running.remove(workload.id());
            usage(workload).release(now, milliCores(workload));
          });
        case DELETE ->
          pick(waiting, step).forEach(workload -> {
            cluster.engine.delete(workload.id());
            waiting.remove(workload.id());
          });
        case MOVE ->
          pick(waiting, step).forEach(workload -> {
            Workload moved = Cluster.changed(
                workload, change -> change.queueName("q" + step.variant % LOCAL_QUEUES));
            cluster.engine.update(moved);
            waiting.put(moved.id(), moved);
          });
        case WAIT -> {
          Duration time = Duration.ofSeconds(step.variant * (step.target % 3 == 0 ? 200L : 7L));
          now = now.plus(time);
          cluster.advance(time);
        }
        case WEIGHT -> weigh(step.target % LOCAL_QUEUES, step.variant % 4 / 2.0);
      }
    }

    private Workload newWorkload(Step step) {
      return cluster.job(
          "w" + created++,
          "q" + step.target % LOCAL_QUEUES,
          1 + step.variant % 5,
          workload -> workload.priority(step.variant % 3));
    }

    private static List<Workload> pick(Map<WorkloadId, Workload> some, Step step) {
      List<Workload> all = List.copyOf(some.values());
      return all.isEmpty() ? List.of() : List.of(all.get(step.target % all.size()));
    }

    private void cycle() {
      List<WorkloadId> expected = inOrder(cluster.view("cq").pending());
      Decisions result = cluster.engine.runCycle();
      if (expected.isEmpty()) {
        assertThat(result.isEmpty()).isTrue();
        return;
      }
      List<WorkloadId> tried = new ArrayList<>();
      result.admitted().forEach(admission -> tried.add(admission.workload()));
      result.pending().forEach(pending -> tried.add(pending.workload()));
      assertThat(tried).containsExactly(expected.get(0));
      result.admitted().forEach(admission -> start(removed(waiting, admission.workload())));
    }

    private static Workload removed(Map<WorkloadId, Workload> from, WorkloadId id) {
      Workload workload = from.remove(id);
      if (workload == null) {
        throw new AssertionError(id + " was admitted and does not wait");
      }
      return workload;
    }

    private void start(Workload workload) {
      running.put(workload.id(), workload);
      usage(workload).admit(now, milliCores(workload));
    }

    private List<WorkloadId> inOrder(List<WorkloadId> ids) {
      return ids.stream()
          .map(id -> waiting.get(id))
          .sorted(
              Comparator.comparingDouble((Workload workload) -> usage(workload).at(now))
                  .thenComparing(Workload::priority, Comparator.reverseOrder())
                  .thenComparing(workload -> workload.creationTime().orElseThrow()))
          .map(Workload::id)
          .toList();
    }

    void compare() {
      for (int i = 0; i < LOCAL_QUEUES; i++) {
        assertThat(cluster
                .engine
                .view()
                .localQueue(Cluster.NAMESPACE, "q" + i)
                .orElseThrow()
                .fairSharingUsage())
            .hasValue(usages.get(i).at(now));
      }
      ClusterQueueView view = cluster.view("cq");
      assertThat(view.pending()).isEqualTo(inOrder(view.pending()));
      assertThat(view.inadmissible()).isEqualTo(inOrder(view.inadmissible()));
      assertThat(view.waitingCount()).isEqualTo(waiting.size());
    }
  }
}
