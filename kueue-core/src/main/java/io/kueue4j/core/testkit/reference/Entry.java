package io.kueue4j.core.testkit.reference;

import java.time.Instant;
import java.util.Map;

/**
 * A workload of a cycle that has been nominated.
 *
 * <p>Rules: S-7, S-12.
 */
final class Entry {
  final Job job;
  final String queue;

  /** Whether the queue remembers it as its preemptor (U-11). */
  final boolean isPreemptor;

  /** Changes when it is nominated again in the cycle (S-15). */
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

  /** S-12: in full, also if it has to wait for its victims. */
  Map<FlavorResource, Long> usage() {
    return nomination.assignment().usage();
  }

  Instant queueTime() {
    return job.queueTime();
  }
}
