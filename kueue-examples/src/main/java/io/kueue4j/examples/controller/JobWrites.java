package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Writes jobs, and remembers what has become of it: what was stored is known at once; what failed
 * is put off.
 */
final class JobWrites {
  private final ClusterWrites writes;
  private final ObjectCache cache;
  private final WorkloadPods pods;
  private final InstantSource clock;
  private final JobEvents events;
  private final Workers workers;

  JobWrites(
      ClusterWrites writes,
      ObjectCache cache,
      WorkloadPods pods,
      InstantSource clock,
      JobEvents events,
      Workers workers) {
    this.writes = writes;
    this.cache = cache;
    this.pods = pods;
    this.clock = clock;
    this.events = events;
    this.workers = workers;
  }

  /** What has become of a write. */
  enum Result {
    /** It was made. */
    DONE,
    /** It was not made, or nobody knows; try again later. */
    LATER,
    /** The server does not want it. */
    REFUSED
  }

  Result replace(JobRecord record, HasMetadata object) {
    return write(record, () -> writes.replace(object));
  }

  Result replaceStatus(JobRecord record, HasMetadata object) {
    return write(record, () -> writes.replaceStatus(object));
  }

  Result delete(JobRecord record, HasMetadata object) {
    return write(record, () -> {
      writes.delete(object);
      return object;
    });
  }

  /** Replaces a pod of a job; if that fails the job's turn comes again. */
  void replacePod(JobRecord record, Pod pod) {
    try {
      see(workers.await(() -> writes.replace(pod)));
    } catch (WriteException e) {
      record.failed(false, clock.instant());
    }
  }

  private void see(HasMetadata stored) {
    cache.see(stored);
    if (stored instanceof Pod pod) {
      pods.see(ObjectKey.of(pod), pod);
    }
  }

  private Result write(JobRecord record, Supplier<HasMetadata> call) {
    try {
      HasMetadata stored = workers.await(call);
      see(stored);
      record.see(stored);
      record.succeeded();
      return Result.DONE;
    } catch (WriteException e) {
      switch (e.reason()) {
        case REFUSED -> {
          record.failed(false, clock.instant());
          events.warning(record.job(), "WriteRefused", String.valueOf(e.getMessage()));
          return Result.REFUSED;
        }
        // After a conflict, too: the version that is in the way may be that of an earlier write.
        case CONFLICT, UNAVAILABLE -> record.failed(true, clock.instant());
        case GONE -> record.failed(false, clock.instant());
      }
      return Result.LATER;
    }
  }
}
