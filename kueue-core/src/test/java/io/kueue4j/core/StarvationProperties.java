package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
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

/**
 * An adversary sees all promises and submits an endless stream of small jobs that should keep large
 * ones out. These start in time nevertheless.
 */
class StarvationProperties {
  @Provide
  Arbitrary<Runnable> attacks() {
    return Choices.arbitrary(choices -> () -> new Attack(choices).run());
  }

  @Property(tries = 100)
  void noStreamOfSmallJobsKeepsALargeOneOut(@ForAll("attacks") Runnable attack) {
    attack.run();
  }

  private static final class Attack {
    /** All jobs before the large ones, and the large ones, are over by then. */
    private static final int LAST_SECOND = 150;

    private final Choices choices;
    private final AdmissionEngine engine;
    private final Map<WorkloadId, Instant> starts = new TreeMap<>();
    private final Map<WorkloadId, Instant> ends = new TreeMap<>();
    private final Map<WorkloadId, Long> runs = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private Instant now = Cluster.START;
    private int submitted;

    Attack(Choices choices) {
      this.choices = choices;
      Backfill backfill = Backfill.ofDepth(choices.of(1, 2, Backfill.UNLIMITED))
          .withFillerOrder(choices.of(FillerOrder.QUEUE_ORDER, FillerOrder.SHORTEST_FIRST));
      this.engine = AdmissionEngine.builder()
          .clock(() -> now)
          .settings(Settings.builder().backfill(backfill).build())
          .build();
    }

    void run() {
      engine.apply(ResourceFlavor.of(Cluster.FLAVOR));
      int[] cores = {2 + choices.nextInt(4), 2 + choices.nextInt(4)};
      boolean isShared = choices.nextBoolean();
      for (int queue = 0; queue < 2; queue++) {
        engine.apply(
            Queues.queue("q" + queue, isShared ? "cohort" : "cohort" + queue, cores[queue])
                .build(),
            Queues.localQueue("q" + queue));
      }
      choices.repeat(4, i -> submit(choices.nextInt(2), 1 + choices.nextInt(2), limit()));
      settle();
      Map<WorkloadId, Instant> promised = new TreeMap<>();
      for (int queue = 0; queue < 2; queue++) {
        boolean mayBorrowAll = isShared && choices.nextBoolean();
        WorkloadId large = submit(queue, mayBorrowAll ? cores[0] + cores[1] : cores[queue], 5);
        promised.put(large, Instant.MAX);
      }
      for (int second = 0;
          second < LAST_SECOND && !starts.keySet().containsAll(promised.keySet());
          second++) {
        settle();
        for (Promise promise : engine.promises()) {
          promised.computeIfPresent(
              promise.workload(), (id, start) -> earlier(start, promise.start()));
        }
        now = now.plusSeconds(1);
        boolean isAnyEndless = !isShared && !promised.containsValue(Instant.MAX);
        choices.repeat(3, i -> attack(cores, isAnyEndless));
      }
      promised.forEach((large, start) -> {
        assertThat(starts.getOrDefault(large, Instant.MAX))
            .as(this::story)
            .isBeforeOrEqualTo(start)
            .isNotEqualTo(Instant.MAX);
      });
    }

    private static Instant earlier(Instant a, Instant b) {
      return a.isBefore(b) ? a : b;
    }

    private long limit() {
      return 1L + choices.nextInt(10);
    }

    /**
     * Submits a job that ends about when a promised one starts, or later.
     *
     * @param isAnyEndless whether it may run without end. Such a job would keep what it borrows in
     *     its turn, and what it got as a filler before the large jobs were promised a start
     */
    private void attack(int[] cores, boolean isAnyEndless) {
      int queue = choices.nextInt(2);
      List<Promise> promises = engine.promises();
      long untilStart = promises.isEmpty()
          ? 1
          : Duration.between(now, choices.of(promises).start()).toSeconds();
      long limit = choices.of(
          Math.max(1, untilStart),
          Math.max(1, untilStart + 1),
          limit(),
          isAnyEndless ? Long.MAX_VALUE : 10);
      submit(queue, 1 + choices.nextInt(cores[queue]), limit);
    }

    @CanIgnoreReturnValue
    private WorkloadId submit(int queue, int cores, long limit) {
      Workload.Builder workload = Workload.builder()
          .namespace(Cluster.NAMESPACE)
          .name("job%03d".formatted(submitted++))
          .queueName("q" + queue)
          .creationTime(now)
          .addPodSets(PodSet.builder().request("cpu", String.valueOf(cores)).build());
      if (limit < Long.MAX_VALUE) {
        workload.maximumExecutionTime(Duration.ofSeconds(limit));
      }
      Workload built = workload.build();
      story.add("%s submit %s to q%s: %s for %s".formatted(now, built.id(), queue, cores, limit));
      runs.put(
          built.id(),
          limit == Long.MAX_VALUE || choices.nextBoolean()
              ? Math.min(limit, 10_000)
              : 1 + choices.nextInt((int) limit));
      engine.submit(built);
      return built.id();
    }

    /** Ends what is over, and runs cycles. */
    private void settle() {
      ends.forEach((id, end) -> {
        if (!end.isAfter(now) && engine.admission(id).isPresent()) {
          engine.finish(id);
        }
      });
      Decisions decided = engine.runUntilStable(1000).decisions();
      for (PromiseChange change : decided.promiseChanges()) {
        story.add("%s promise %s %s: %s"
            .formatted(
                now,
                change.workload(),
                change.promise().map(Promise::start).orElse(null),
                change.reason()));
      }
      for (Admission admission : decided.admitted()) {
        story.add("%s start %s".formatted(now, admission.workload()));
        starts.put(admission.workload(), now);
        ends.put(
            admission.workload(), now.plusSeconds(runs.getOrDefault(admission.workload(), 0L)));
      }
    }

    private String story() {
      return String.join("\n", story);
    }
  }
}
