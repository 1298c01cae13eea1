package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.util.Map;

/**
 * A workload of a cycle that has been nominated.
 *
 * <p>Rules: S-7, S-12, E-6.
 */
final class Entry {
  final Job job;
  final String queue;

  /** Whether the queue has recorded it as its preemptor (U-11). */
  final boolean isPreemptor;

  /** Replaced when it is nominated again in the cycle (S-15). */
  Nomination nomination;

  Entry(Job job, String queue, boolean isPreemptor, Nomination nomination) {
    this.job = job;
    this.queue = queue;
    this.isPreemptor = isPreemptor;
    this.nomination = nomination;
  }

  int borrowLevel() {
    return nomination.assignment().borrowLevel();
  }

  /**
   * {@return the workloads that stop when it runs: its victims, after the elastic slice that it
   * replaces (E-6)}
   */
  ImmutableList<Holder> leaving() {
    ImmutableList.Builder<Holder> leaving = ImmutableList.builder();
    nomination.old().ifPresent(old -> leaving.add(old.holder()));
    nomination.victims().forEach(victim -> leaving.add(victim.holder()));
    return leaving.build();
  }

  /** S-12: in full, also if it has to wait for its victims. */
  Map<FlavorResource, Long> usage() {
    return nomination.assignment().usage();
  }

  Instant queueTime() {
    return job.queueTime();
  }
}
