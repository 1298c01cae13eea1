package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds in every simulation, with everything that may happen to jobs. */
class SimulationProperties {
  private static final ImmutableList<String> QUEUES = ImmutableList.of("a", "b", "c");

  /** A simulation, and a second at which it is looked at. */
  record Case(Simulation simulation, long second) {
    @Override
    public String toString() {
      Plan plan = simulation.plan();
      StringBuilder text = new StringBuilder();
      for (SimulationJob job : plan.trace().jobs()) {
        text.append(job.id().name() + " in " + job.workload().queueName() + " "
            + job.workload().totalRequests() + " priority " + job.workload().priority() + " at "
            + job.submitTime() + " for " + job.duration() + " " + job.checkpoints() + "; ");
      }
      return text + "events " + plan.events() + "; interval " + plan.intervalMillis()
          + "; at second " + second;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Choices.arbitrary(choices -> {
      ImmutableList.Builder<ConfigObject> objects = ImmutableList.<ConfigObject>builder()
          .add(ResourceFlavor.of("default"), AdmissionCheck.of("check", "test"));
      QUEUES.forEach(queue -> objects.add(queue(queue, choices), Jobs.localQueue(queue)));
      List<SimulationJob> jobs = jobs(choices);
      Simulation.Builder builder = Simulation.builder()
          .configuration(objects.build())
          .trace(jobs)
          .events(choices.list(choices.nextInt(6), each -> event(each, jobs.size())))
          .behavior(behavior(choices.nextInt(8), choices.nextInt(5)))
          .start(at(0));
      if (choices.oneIn(3)) {
        builder.cycleInterval(Duration.ofSeconds(1 + choices.nextInt(5)));
      }
      return new Case(builder.build(), choices.nextInt(120));
    });
  }

  private static ClusterQueue queue(String name, Choices choices) {
    Preemption.Policy lower = Preemption.Policy.LOWER_PRIORITY;
    ClusterQueue.Builder queue = Jobs.clusterQueue(name, 2 + choices.nextInt(5))
        .cohort("all")
        .preemption(Preemption.builder()
            .withinClusterQueue(choices.oneIn(2) ? lower : Preemption.Policy.NEVER)
            .reclaimWithinCohort(choices.oneIn(2) ? Preemption.Policy.ANY : lower)
            .build());
    if (choices.oneIn(3)) {
      queue.queueingStrategy(QueueingStrategy.STRICT_FIFO);
    }
    if (choices.oneIn(3)) {
      queue.admissionChecks(ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of())));
    }
    return queue.build();
  }

  private static List<SimulationJob> jobs(Choices choices) {
    List<SimulationJob.Builder> drawn = choices.list(choices.nextInt(40), each -> {
      SimulationJob.Builder job = SimulationJob.builder()
          .workload(Jobs.workload("?", QUEUES.get(each.nextInt(3)), 1 + each.nextInt(5))
              .priority(each.nextInt(3))
              .build())
          .submitTime(at(each.nextInt(60)))
          .duration(Duration.ofSeconds(each.nextInt(30)));
      if (each.oneIn(3)) {
        job.checkpoints(new Checkpoints(
            Duration.ofSeconds(1 + each.nextInt(9)), Duration.ofSeconds(each.nextInt(3))));
      }
      return job;
    });
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (int i = 0; i < drawn.size(); i++) {
      SimulationJob job = drawn.get(i).build();
      SimulationJob.Builder named = SimulationJob.builder()
          .from(job)
          .workload(Workload.builder()
              .from(job.workload())
              .name("job" + i)
              .uid("job" + i)
              .build());
      if (i % 5 == 4) {
        named.addAfter(Jobs.id("job" + (i - 3))).thinkTime(Duration.ofSeconds(2));
      }
      jobs.add(named.build());
    }
    return jobs.build();
  }

  private static SimulationEvent event(Choices choices, int jobs) {
    Instant time = at(choices.nextInt(80));
    if (jobs == 0 || choices.oneIn(3)) {
      return SimulationEvent.apply(time, queue(QUEUES.get(choices.nextInt(3)), choices));
    }
    return choices.oneIn(2)
        ? new SimulationEvent.Cancel(time, Jobs.id("job" + choices.nextInt(jobs)))
        : new SimulationEvent.Delete(time, Jobs.id("job" + choices.nextInt(jobs)));
  }

  private static ClusterBehavior behavior(int stopSeconds, int checkSeconds) {
    return new ClusterBehavior() {
      @Override
      public Duration terminationDelay(SimulationJob job) {
        return Duration.ofSeconds(job.workload().priority() == 0 ? stopSeconds : 0);
      }

      @Override
      public Optional<CheckAnswer> checkAnswer(SimulationJob job, String check, int reservation) {
        CheckState state = job.workload().priority() == 2 && reservation == 1
            ? CheckState.RETRY
            : job.duration().toSeconds() == 7 ? CheckState.REJECTED : CheckState.READY;
        return Optional.of(new CheckAnswer(Duration.ofSeconds(checkSeconds), state));
      }
    };
  }

  @Property(tries = 300)
  void timesOfJobsAddUp(@ForAll("cases") Case played) {
    SimulationResult result = played.simulation.run();

    for (JobResult job : result.jobs()) {
      if (job.outcome() == Outcome.FINISHED) {
        Duration ran = Duration.between(job.started().orElseThrow(), job.ended().orElseThrow());
        Duration needed = job.job().duration().plus(job.lostWork());
        assertThat(ran).isGreaterThanOrEqualTo(needed);
        if (job.starts() == 1) {
          assertThat(ran).isEqualTo(job.job().duration());
          assertThat(job.lostWork()).isZero();
        }
      }
      assertThat(job.starts() > 0).isEqualTo(job.started().isPresent());
      assertThat(job.outcome().isEnded()).isEqualTo(job.ended().isPresent());
    }
    if (result.end() == SimulationResult.End.COMPLETE) {
      assertThat(result.jobs()).allMatch(job -> job.outcome().isEnded());
    }
  }

  @Property(tries = 300)
  void usageAndQueueLengthsAreThoseOfTheEngine(@ForAll("cases") Case played) {
    SimulationResult result = played.simulation.run();
    Instant time = at(played.second);
    long millis = time.toEpochMilli();

    for (ClusterQueueView queue : result.viewAt(time).clusterQueues()) {
      for (QuotaUsage usage : queue.usage()) {
        QuotaSeries series = result.quotas().stream()
            .filter(each -> each.clusterQueue().equals(queue.name()))
            .findFirst()
            .orElseThrow();
        assertThat(series.used().at(millis)).as("usage of " + queue).isEqualTo(usage.used());
        assertThat(series.nominal().at(millis)).isEqualTo(usage.nominal());
        assertThat(series.borrowed().at(millis)).isEqualTo(usage.borrowed());
      }
      assertThat(Jobs.valueOf(queue.name(), result.queueLengths()).at(millis))
          .as("queue length of " + queue)
          .isEqualTo(queue.waitingCount());
    }
  }

  @Property(tries = 100)
  void statesAtSeveralTimesAreThoseAtEach(@ForAll("cases") Case played) {
    SimulationResult result = played.simulation.run();
    List<Instant> times = List.of(at(played.second), at(played.second / 2), result.endTime());
    List<Instant> visited = new ArrayList<>();

    result.forEachViewAt(times, (time, view) -> {
      visited.add(time);
      EngineView alone = result.viewAt(time);
      assertThat(holders(view)).isEqualTo(holders(alone));
      assertThat(waiting(view)).isEqualTo(waiting(alone));
    });

    assertThat(visited).containsExactlyElementsOf(ImmutableSortedSet.copyOf(times));
  }

  private static List<Integer> waiting(EngineView view) {
    return view.clusterQueues().stream().map(ClusterQueueView::waitingCount).toList();
  }

  private static List<String> holders(EngineView view) {
    return view.clusterQueues().stream()
        .flatMap(queue -> queue.holders().stream())
        .map(holder -> holder.workload().id() + " " + holder.admission())
        .toList();
  }

  @Property(tries = 300)
  void runsAddUp(@ForAll("cases") Case played) {
    SimulationResult result = played.simulation.run();
    int jobs = result.jobs().size();
    int[] runs = new int[jobs];
    long[] ran = new long[jobs];
    result.forEachRun((job, start, end) -> {
      assertThat(end).isBetween(start, result.endTime().toEpochMilli());
      runs[job]++;
      ran[job] += end - start;
    });

    for (int i = 0; i < jobs; i++) {
      JobResult job = result.jobs().get(i);
      assertThat(runs[i]).as("runs of " + job).isEqualTo(job.starts());
      if (job.outcome() == Outcome.FINISHED) {
        assertThat(ran[i])
            .as("time that ran " + job)
            .isEqualTo(job.job().duration().plus(job.lostWork()).toMillis());
      }
    }
  }

  @Property(tries = 50)
  void everyRunIsEqual(@ForAll("cases") Case played) {
    assertThat(played.simulation.run().digest())
        .isEqualTo(played.simulation.run().digest());
  }
}
