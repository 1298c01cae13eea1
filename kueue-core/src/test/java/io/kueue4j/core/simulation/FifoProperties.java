package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.simulation.NaiveFifo.Task;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The simulation agrees with one that has nothing in common with it, job by job. */
class FifoProperties {
  private static final int CORES = 5;

  /** Jobs that often come and end at the same time, and that often do not fit. */
  @Provide
  Arbitrary<List<Task>> tasks() {
    return Choices.arbitrary(choices -> {
      List<Task> unnamed = choices.list(
          1 + choices.nextInt(60),
          each -> new Task("", 1 + each.nextInt(CORES), each.nextInt(50), each.nextInt(12)));
      ImmutableList.Builder<Task> tasks = ImmutableList.builder();
      for (Task task : unnamed) {
        // Names that do not follow the order of the list, which decide among equal times.
        String name = "job" + (char) ('a' + task.runs()) + tasks.build().size();
        tasks.add(new Task(name, task.cores(), task.submitted(), task.runs()));
      }
      return tasks.build();
    });
  }

  private static Map<String, Long> simulated(List<Task> tasks, QueueingStrategy strategy) {
    SimulationResult result = Simulation.builder()
        .configuration(
            Jobs.queue("q", CORES).get(0),
            Jobs.clusterQueue("q", CORES).queueingStrategy(strategy).build(),
            Jobs.localQueue("q"))
        .trace(tasks.stream()
            .map(task -> Jobs.job(task.name(), "q", task.cores(), task.submitted(), task.runs())
                .build())
            .toList())
        .build()
        .run();
    Map<String, Long> starts = new TreeMap<>();
    for (JobResult job : result.jobs()) {
      starts.put(
          job.job().id().name(),
          Duration.between(Jobs.START, job.started().orElseThrow()).toSeconds());
    }
    return starts;
  }

  @Property(tries = 300)
  void strictOrder(@ForAll("tasks") List<Task> tasks) {
    assertThat(simulated(tasks, QueueingStrategy.STRICT_FIFO))
        .isEqualTo(NaiveFifo.starts(CORES, true, tasks));
  }

  @Property(tries = 300)
  void smallJobsPassThoseThatDoNotFit(@ForAll("tasks") List<Task> tasks) {
    assertThat(simulated(tasks, QueueingStrategy.BEST_EFFORT_FIFO))
        .isEqualTo(NaiveFifo.starts(CORES, false, tasks));
  }
}
