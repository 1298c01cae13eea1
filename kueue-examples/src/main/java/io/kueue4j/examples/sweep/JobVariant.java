package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.SimulationJob;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * Jobs of a history under another load: more or fewer per time, longer or shorter, or drawn anew.
 *
 * <p>Drawn anew by a seed means: the history is cut into blocks of equal length, from its first
 * submission on, and each block is replaced by one of them, drawn with replacement. Jobs keep their
 * time within a block; the jobs of a block that is drawn again get names of their own. A job
 * follows only jobs of its own block.
 */
public final class JobVariant {
  private final BigDecimal submissions;
  private final BigDecimal durations;
  private final OptionalLong seed;
  private final Duration block;

  private JobVariant(
      BigDecimal submissions, BigDecimal durations, OptionalLong seed, Duration block) {
    this.submissions = submissions;
    this.durations = durations;
    this.seed = seed;
    this.block = block;
  }

  /**
   * {@return the jobs of a point}
   *
   * @param jobs the jobs of its history
   * @param start the start of the history
   * @param point the point
   * @param block the length of the blocks that are drawn
   */
  public static ImmutableList<SimulationJob> of(
      ImmutableList<SimulationJob> jobs, Instant start, SweepGrid.Point point, Duration block) {
    JobVariant variant =
        new JobVariant(point.submissions(), point.durations(), point.seed(), block);
    ImmutableList<SimulationJob> drawn = point.seed().isPresent() ? variant.draw(jobs) : jobs;
    return variant.isPlain() ? drawn : variant.scale(drawn, start);
  }

  private boolean isPlain() {
    return submissions.compareTo(BigDecimal.ONE) == 0 && durations.compareTo(BigDecimal.ONE) == 0;
  }

  private ImmutableList<SimulationJob> scale(ImmutableList<SimulationJob> jobs, Instant start) {
    return jobs.stream()
        .map(job -> {
          long after = Duration.between(start, job.submitTime()).toMillis();
          Instant submit = start.plusMillis(new BigDecimal(after)
              .divide(submissions, 0, RoundingMode.HALF_EVEN)
              .longValueExact());
          Duration duration = Duration.ofMillis(new BigDecimal(job.duration().toMillis())
              .multiply(durations)
              .setScale(0, RoundingMode.HALF_EVEN)
              .longValueExact());
          return changed(job, job.workload().name(), submit, duration, job.after());
        })
        .collect(toImmutableList());
  }

  private ImmutableList<SimulationJob> draw(ImmutableList<SimulationJob> jobs) {
    if (jobs.isEmpty()) {
      return jobs;
    }
    Instant first =
        jobs.stream().map(SimulationJob::submitTime).min(Instant::compareTo).get();
    List<List<SimulationJob>> blocks = new ArrayList<>();
    for (SimulationJob job : jobs) {
      int number = Math.toIntExact(Duration.between(first, job.submitTime()).dividedBy(block));
      while (blocks.size() <= number) {
        blocks.add(new ArrayList<>());
      }
      blocks.get(number).add(job);
    }
    Random random = new Random(seed.orElseThrow());
    Set<WorkloadId> taken = new HashSet<>();
    ImmutableList.Builder<SimulationJob> drawn = ImmutableList.builder();
    for (int at = 0; at < blocks.size(); at++) {
      int number = random.nextInt(blocks.size());
      Duration later = block.multipliedBy(at - (long) number);
      Map<WorkloadId, WorkloadId> names = names(blocks.get(number), taken, at);
      for (SimulationJob job : blocks.get(number)) {
        drawn.add(changed(
            job,
            names.getOrDefault(job.id(), job.id()).name(),
            job.submitTime().plus(later),
            job.duration(),
            job.after().stream()
                .filter(names::containsKey)
                .map(before -> names.getOrDefault(before, before))
                .collect(toImmutableList())));
      }
    }
    return drawn.build();
  }

  /** {@return the new names of the jobs of a block, which no other job has} */
  private static ImmutableMap<WorkloadId, WorkloadId> names(
      List<SimulationJob> block, Set<WorkloadId> taken, int at) {
    ImmutableMap.Builder<WorkloadId, WorkloadId> names = ImmutableMap.builder();
    for (SimulationJob job : block) {
      WorkloadId id = job.id();
      for (int copy = at; !taken.add(id); copy++) {
        id = WorkloadId.of(job.id().namespace(), job.id().name() + "-block-" + copy);
      }
      names.put(job.id(), id);
    }
    return names.buildOrThrow();
  }

  private static SimulationJob changed(
      SimulationJob job, String name, Instant submit, Duration duration, List<WorkloadId> after) {
    Duration later = Duration.between(job.submitTime(), submit);
    Workload workload = job.workload();
    return SimulationJob.builder()
        .from(job)
        .workload(Workload.builder()
            .from(workload)
            .name(name)
            .creationTime(workload.creationTime().map(created -> created.plus(later)))
            .build())
        .submitTime(submit)
        .duration(duration)
        .after(after)
        .build();
  }
}
