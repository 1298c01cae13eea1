package io.kueue4j.examples.controller.state;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.Workers;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writes jobs and records the outcome: stored objects are known at once, failed writes are delayed.
 *
 * @param writes the cluster
 * @param news receives every object that was stored
 * @param clock the time of failures
 * @param events tells users about refused writes
 * @param workers the threads that wait
 */
public record JobWrites(
    ClusterWrites writes,
    Consumer<HasMetadata> news,
    InstantSource clock,
    JobEventRecorder events,
    Workers workers) {
  /** The outcome of a write. */
  public enum Result {
    /** It succeeded. */
    DONE,
    /** It failed, or the outcome is unknown; try again later. */
    LATER,
    /** The server rejected it. */
    REFUSED
  }

  /**
   * Replaces a job, or its Workload except for the status. In a group, replaces the pods that
   * change, one after the other, until a write fails.
   */
  public Result replace(JobRecord record, HasMetadata object) {
    if (!JobParts.isGroup(object)) {
      return write(record, object, () -> writes.replace(object));
    }
    Set<HasMetadata> present = new HashSet<>(JobParts.of(record.job()));
    return JobParts.of(object).stream()
        .filter(part -> !present.contains(part))
        .map(part -> write(record, part, () -> writes.replace(part)))
        .filter(result -> result != Result.DONE)
        .findFirst()
        .orElse(Result.DONE);
  }

  /** Replaces an object, unless the edited one is equal to the stored one. */
  public Result replaceIfChanged(JobRecord record, HasMetadata stored, HasMetadata edited) {
    return edited.equals(stored) ? Result.DONE : replace(record, edited);
  }

  /** Creates the Workload of a job. */
  public Result create(JobRecord record, HasMetadata workload) {
    return write(record, workload, () -> writes.create(workload));
  }

  /** Replaces the status of an object of a job. */
  public Result replaceStatus(JobRecord record, HasMetadata object) {
    return write(record, object, () -> writes.replaceStatus(object));
  }

  /** Deletes an object of a job, or its Workload. */
  public Result delete(JobRecord record, HasMetadata object) {
    return write(record, object, () -> deleted(object));
  }

  private HasMetadata deleted(HasMetadata object) {
    writes.delete(object);
    return object;
  }

  /** Replaces a pod of a job; on failure the job becomes due again. */
  public void replacePod(JobRecord record, Pod pod) {
    failure(record, () -> writes.replace(pod))
        .filter(e -> e.reason() == WriteException.Reason.REFUSED)
        .ifPresent(e -> refused(record, e));
  }

  /** Replaces the status of a pod of a job; on failure the job becomes due again. */
  public void replacePodStatus(JobRecord record, Pod pod) {
    var unused = failure(record, () -> writes.replaceStatus(pod));
  }

  /**
   * Deletes a pod that belongs or has belonged to a job; on failure the job becomes due again.
   *
   * @return whether that succeeded
   */
  public boolean deletePod(JobRecord record, Pod pod) {
    return failure(record, () -> deleted(pod)).isEmpty();
  }

  private Optional<WriteException> failure(JobRecord record, Supplier<HasMetadata> call) {
    Optional<WriteException> failure = failure(call);
    failure.ifPresent(unused -> record.failed(clock.instant()));
    return failure;
  }

  private Optional<WriteException> failure(Supplier<HasMetadata> call) {
    try {
      news.accept(workers.await(call));
      return Optional.empty();
    } catch (WriteException e) {
      return Optional.of(e);
    }
  }

  private void refused(JobRecord record, WriteException e) {
    events.warning(record.job(), "WriteRefused", String.valueOf(e.getMessage()));
  }

  /**
   * Replaces an object that belongs to no job.
   *
   * @return whether that succeeded
   */
  public boolean replaceAlone(HasMetadata object) {
    return writeAlone(() -> writes.replace(object));
  }

  /**
   * Changes an object that belongs to no job, whatever its version.
   *
   * @return whether that succeeded
   */
  public boolean editAlone(HasMetadata seen, UnaryOperator<HasMetadata> change) {
    return writeAlone(() -> writes.edit(seen, change));
  }

  private boolean writeAlone(Supplier<HasMetadata> call) {
    return failure(call).filter(e -> e.reason() != WriteException.Reason.GONE).isEmpty();
  }

  /** {@return whether a write, except a deletion, has changed nothing} */
  @SuppressWarnings("ReferenceEquality") // a deletion returns the object that it was given
  private static boolean isUnchanged(HasMetadata object, HasMetadata stored) {
    String version = object.getMetadata().getResourceVersion();
    return stored != object
        && version != null
        && version.equals(stored.getMetadata().getResourceVersion());
  }

  private Result write(JobRecord record, HasMetadata object, Supplier<HasMetadata> call) {
    ObjectKey part = ObjectKey.of(object);
    try {
      HasMetadata stored = workers.await(call);
      news.accept(stored);
      if (isUnchanged(object, stored)) {
        record.unchanged(part, clock.instant());
      } else {
        record.succeeded(part);
      }
      return Result.DONE;
    } catch (WriteException e) {
      switch (e.reason()) {
        case REFUSED -> {
          record.failed(clock.instant());
          refused(record, e);
          return Result.REFUSED;
        }
        // After a conflict, too: the conflicting version may come from an earlier write.
        case CONFLICT, UNAVAILABLE -> record.unanswered(part, clock.instant());
        case GONE -> record.failed(clock.instant());
      }
      return Result.LATER;
    }
  }
}
