package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes jobs, and remembers what has become of it: what was stored is known at once; what failed
 * is put off.
 */
final class JobWrites {
  private final ClusterWrites writes;
  private final Consumer<HasMetadata> news;
  private final InstantSource clock;
  private final JobEvents events;
  private final Workers workers;

  /**
   * Writes by {@code writes}.
   *
   * @param news is told of every object that was stored
   */
  JobWrites(
      ClusterWrites writes,
      Consumer<HasMetadata> news,
      InstantSource clock,
      JobEvents events,
      Workers workers) {
    this.writes = writes;
    this.news = news;
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

  /**
   * Replaces a job. Of a group, pods are replaced that are to be others, one after the other, until
   * that fails.
   */
  Result replace(JobRecord record, HasMetadata object) {
    if (!JobParts.isGroup(object)) {
      return write(record, object, () -> writes.replace(object));
    }
    Set<HasMetadata> present = new HashSet<>(JobParts.of(record.job()));
    for (HasMetadata part : JobParts.of(object)) {
      if (!present.contains(part)) {
        Result result = write(record, part, () -> writes.replace(part));
        if (result != Result.DONE) {
          return result;
        }
      }
    }
    return Result.DONE;
  }

  /** Replaces the status of an object of a job. */
  Result replaceStatus(JobRecord record, HasMetadata object) {
    return write(record, object, () -> writes.replaceStatus(object));
  }

  /** Deletes an object of a job. */
  Result delete(JobRecord record, HasMetadata object) {
    return write(record, object, () -> {
      writes.delete(object);
      return object;
    });
  }

  /** Replaces a pod of a job; if that fails the job's turn comes again. */
  void replacePod(JobRecord record, Pod pod) {
    try {
      news.accept(workers.await(() -> writes.replace(pod)));
    } catch (WriteException e) {
      record.failed(clock.instant());
    }
  }

  /** Replaces the status of a pod of a job; if that fails the job's turn comes again. */
  void replacePodStatus(JobRecord record, Pod pod) {
    try {
      news.accept(workers.await(() -> writes.replaceStatus(pod)));
    } catch (WriteException e) {
      record.failed(clock.instant());
    }
  }

  private Result write(JobRecord record, HasMetadata object, Supplier<HasMetadata> call) {
    ObjectKey part = ObjectKey.of(object);
    try {
      HasMetadata stored = workers.await(call);
      news.accept(stored);
      if (!JobParts.isGroup(record.job())) {
        record.see(stored, part);
      }
      record.succeeded(part);
      return Result.DONE;
    } catch (WriteException e) {
      switch (e.reason()) {
        case REFUSED -> {
          record.failed(clock.instant());
          events.warning(record.job(), "WriteRefused", String.valueOf(e.getMessage()));
          return Result.REFUSED;
        }
        // After a conflict, too: the version that is in the way may be that of an earlier write.
        case CONFLICT, UNAVAILABLE -> record.unanswered(part, clock.instant());
        case GONE -> record.failed(clock.instant());
      }
      return Result.LATER;
    }
  }
}
