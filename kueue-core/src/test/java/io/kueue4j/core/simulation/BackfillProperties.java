package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.simulation.NaiveBackfill.Task;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Backfilling in a simulation agrees with a scheduler that has nothing in common with it. */
class BackfillProperties {
  private static final int CORES = 8;

  /** Jobs that often come and end at the same time, and often before they have to. */
  @Provide
  Arbitrary<List<Task>> tasks() {
    return Choices.arbitrary(choices -> {
      long submitted = 0;
      ImmutableList.Builder<Task> tasks = ImmutableList.builder();
      for (int count = 1 + choices.nextInt(50); count > 0; count--) {
        submitted += choices.nextInt(3) == 0 ? choices.nextInt(20) : choices.nextInt(2);
        long requested = 1L + choices.nextInt(40);
        long runs = choices.nextInt(3) == 0 ? requested : 1L + choices.nextInt((int) requested);
        tasks.add(new Task(1 + choices.nextInt(CORES), submitted, runs, requested));
      }
      return tasks.build();
    });
  }

  private static long[] simulated(Backfill backfill, List<Task> tasks) {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      jobs.add(Jobs.job("job%02d".formatted(i), "q", task.cores(), task.submitted(), task.runs())
          .estimate(Duration.ofSeconds(task.requested()))
          .build());
    }
    SimulationResult result = Simulation.builder()
        .configuration(Jobs.queue("q", CORES))
        .settings(Settings.builder().backfill(backfill).build())
        .trace(jobs.build())
        .build()
        .run();
    return result.jobs().stream()
        .mapToLong(
            job -> Duration.between(Jobs.START, job.started().orElseThrow()).toSeconds())
        .toArray();
  }

  private static void check(int depth, FillerOrder order, List<Task> tasks) {
    assertThat(simulated(Backfill.ofDepth(depth).withFillerOrder(order), tasks))
        .isEqualTo(NaiveBackfill.starts(CORES, depth, order == FillerOrder.SHORTEST_FIRST, tasks));
  }

  @Property(tries = 400)
  void easy(@ForAll("tasks") List<Task> tasks, @ForAll FillerOrder order) {
    check(1, order, tasks);
  }

  @Property(tries = 200)
  void noPromise(@ForAll("tasks") List<Task> tasks, @ForAll FillerOrder order) {
    check(0, order, tasks);
  }

  @Property(tries = 300)
  void hybrid(@ForAll("tasks") List<Task> tasks, @ForAll FillerOrder order) {
    check(3, order, tasks);
  }

  @Property(tries = 300)
  void conservative(@ForAll("tasks") List<Task> tasks) {
    check(Backfill.UNLIMITED, FillerOrder.QUEUE_ORDER, tasks);
  }
}
