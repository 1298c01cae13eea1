package io.kueue4j.examples.tpu.study;

import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.TpuFleet;
import java.util.stream.IntStream;

/**
 * Places a slice wherever enough healthy hosts are free, which no geometry would allow: an upper
 * bound.
 */
final class CountPlacer implements StudyPlacer {
  private long freeChips;

  CountPlacer(TpuFleet fleet) {
    this.freeChips = healthyChips(fleet);
  }

  /** {@return the chips of all healthy hosts} */
  static long healthyChips(TpuFleet fleet) {
    return fleet.pools().stream()
        .mapToLong(pool -> pool.hostBox().chips()
            * IntStream.range(0, pool.hosts())
                .filter(host -> fleet.health(pool.id(), host) == HostHealth.HEALTHY)
                .count())
        .sum();
  }

  @Override
  public boolean place(StudyJob job) {
    boolean fits = job.shape().chips() <= freeChips;
    freeChips -= fits ? job.shape().chips() : 0;
    return fits;
  }

  @Override
  public void end(StudyJob job) {
    freeChips += job.shape().chips();
  }
}
