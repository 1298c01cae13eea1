package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A machine, its load, and the placement strategies to compare.
 *
 * @param name its name on the command line
 * @param description a description
 * @param pools its pools
 * @param badHosts the number of hosts of each pool that are down, a different set for each seed
 * @param mix the distribution of requested slices
 * @param loadPercent the average load by all jobs, in percent of all chips, healthy or not; ignored
 *     with a window
 * @param window the number of waiting jobs; 0 if jobs are lost that cannot start on arrival
 * @param jobs the default number of jobs
 * @param policies the placement strategies
 */
public record StudyScenario(
    String name,
    String description,
    ImmutableList<TpuPool> pools,
    int badHosts,
    JobMix mix,
    int loadPercent,
    int window,
    int jobs,
    ImmutableList<StudyPolicy> policies) {

  /** All scenarios. */
  public static final ImmutableList<StudyScenario> ALL = ImmutableList.of(
      new StudyScenario(
          "pod-loss",
          "one pod, jobs are lost if they cannot start at once",
          pods(1),
          0,
          JobMix.GRID,
          90,
          0,
          20_000,
          StudyPolicy.GRID),
      new StudyScenario(
          "pod-backlog",
          "one pod, 16 jobs always wait, who fits starts",
          pods(1),
          0,
          JobMix.GRID,
          0,
          16,
          20_000,
          StudyPolicy.GRID),
      new StudyScenario(
          "pod-fifo",
          "one pod, jobs always wait, the first starts or all wait",
          pods(1),
          0,
          JobMix.GRID,
          0,
          1,
          20_000,
          StudyPolicy.GRID),
      new StudyScenario(
          "pods-loss",
          "8 pods, jobs are lost if they cannot start at once",
          pods(8),
          0,
          JobMix.GRID,
          95,
          0,
          20_000,
          StudyPolicy.GRID),
      new StudyScenario(
          "pods-bad-hosts",
          "8 pods with 3 bad hosts of 64 in each, jobs are lost",
          pods(8),
          3,
          JobMix.GRID,
          90,
          0,
          20_000,
          StudyPolicy.GRID),
      new StudyScenario(
          "cubes-64",
          "superpod of 64 cubes, jobs are lost if they cannot start at once",
          cubes(64),
          0,
          JobMix.CUBES,
          95,
          0,
          20_000,
          withTorus(4, 4, 4)),
      new StudyScenario(
          "cubes-144",
          "superpod of 144 cubes, jobs are lost if they cannot start at once",
          cubes(144),
          0,
          JobMix.CUBES,
          95,
          0,
          20_000,
          withTorus(4, 6, 6)),
      new StudyScenario(
          "cubes-16-inference",
          "16 cubes that mostly serve models, jobs are lost",
          cubes(16),
          0,
          JobMix.INFERENCE,
          95,
          0,
          20_000,
          withTorus(2, 2, 4)));

  private static ImmutableList<TpuPool> pods(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            number -> TpuPool.grid("pod-" + number, TpuGeneration.V6E, SliceShape.of(16, 16), 4)
                .withAlignment(TpuPool.Alignment.HOST_ALIGNED))
        .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<TpuPool> cubes(int count) {
    return ImmutableList.of(TpuPool.cubes("superpod", TpuGeneration.V7X, count));
  }

  private static ImmutableList<StudyPolicy> withTorus(int width, int height, int depth) {
    return ImmutableList.<StudyPolicy>builder()
        .addAll(StudyPolicy.CUBES)
        .add(StudyPolicy.withoutSwitches(width, height, depth))
        .build();
  }

  /** {@return the free machine; the seed determines which hosts are down} */
  TpuFleet fleet(long seed) {
    TpuFleet fleet = TpuFleet.of(pools);
    Random random = new Random(seed);
    for (TpuPool pool : pools) {
      int[] bad = random.ints(0, pool.hosts()).distinct().limit(badHosts).toArray();
      fleet = fleet.withHealth(pool.id(), HostHealth.DOWN, bad);
    }
    return fleet;
  }

  private int chips() {
    return pools.stream()
        .mapToInt(pool -> pool.hosts() * pool.hostBox().chips())
        .sum();
  }

  /** {@return the jobs of a seed} */
  ImmutableList<StudyJob> stream(int count, long seed) {
    double load = window > 0 ? 1 : loadPercent / 100.0;
    return StudyJob.stream(mix, load * chips(), count, seed);
  }

  /**
   * {@return the result of one placement strategy}
   *
   * @param policy the strategy
   * @param count the number of jobs
   * @param seed the seed
   */
  StudyFigures play(StudyPolicy policy, int count, long seed) {
    TpuFleet fleet = fleet(seed);
    StudyPlacer placer = policy.factory().create(fleet, seed);
    long healthy = CountPlacer.healthyChips(fleet);
    ImmutableList<StudyJob> jobs = stream(count, seed);
    StudyCounts counts = window > 0
        ? StudyRun.backlog(placer, jobs, window, healthy)
        : StudyRun.lossSystem(placer, jobs, healthy);
    return counts.figures();
  }
}
