package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.JobWrites.Result;
import io.kueue4j.examples.controller.seal.SealKeys;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where the controller records which jobs hold quota. Either in the status of Workload objects,
 * which tenants cannot write ({@link WorkloadRecords}), or in sealed annotations of the jobs
 * ({@link JobNotes}). A controller that starts restores its state from these records.
 *
 * <p>A record exists before its job starts, and until the pods of the job are gone.
 */
interface AdmissionRecords {

  // ----- reading

  /** {@return whether an admission may be recorded for a job} */
  boolean isRecorded(HasMetadata job);

  /** {@return the recorded admission of a job} */
  NoteReading read(JobRecord record);

  /** {@return when the recorded quota of a job was reserved; the maximum if there is none} */
  default Instant reservedTime(JobRecord record) {
    return read(record)
        .note()
        .map(note -> note.admission().quotaReservedTime())
        .orElse(Instant.MAX);
  }

  /**
   * {@return what has happened to the record of a running job, if another client has removed it}
   */
  Optional<String> missing(JobRecord record, NoteReading reading);

  /**
   * {@return whether an admission is the last one that this controller has recorded, or tried to
   * record}
   */
  default boolean isOwn(JobRecord record, NoteReading reading) {
    return reading.content().equals(record.notes().ownContent());
  }

  /** {@return whether the admission of a note is the one that a workload holds} */
  boolean isUpToDate(AdmissionNote note, Admission held);

  /** {@return the status of a waiting job since it was stopped last, empty if there is none} */
  Optional<WorkloadStatus> status(JobRecord record);

  /** {@return whether users and administrators let the job be queued and run} */
  default boolean isActive(HasMetadata job) {
    return JobAnnotations.isActive(job);
  }

  /** {@return the states of the admission checks of a job with quota} */
  ImmutableList<AdmissionCheckState> checks(JobRecord record);

  /** {@return why a workload cannot be queued, empty if it can} */
  Optional<String> refusal(JobRecord record, Workload workload);

  /** {@return whether it is known that the controller had queued the job} */
  boolean wasQueued(JobRecord record);

  // ----- writing

  /** Stores what must exist before a job is queued. */
  Result prepare(JobRecord record, Workload workload);

  /**
   * Makes a record outside a group of pods belong to all its pods, so that it lasts as long as one
   * of them; call it before more pods are started.
   */
  default Result own(JobRecord record) {
    return Result.DONE;
  }

  /**
   * {@return the elastic slice that was proposed to replace the workload of a job and holds no
   * quota yet, as far as it is recorded}
   */
  default Optional<Workload> proposed(JobRecord record) {
    return Optional.empty();
  }

  /**
   * Stores what must exist before an elastic slice is queued that is to replace the workload of a
   * running job.
   *
   * @param note the recorded admission of the job
   * @param original the job before its start
   */
  default Result propose(
      JobRecord record, AdmissionNote note, HasMetadata original, Workload slice) {
    return Result.DONE;
  }

  /**
   * Removes the records of elastic slices of a job, except for the one that records its admission
   * and the one that waits to replace it.
   */
  default void settle(JobRecord record) {}

  /** Stores a note outside the job; call it before the job is written. */
  Result store(JobRecord record, AdmissionNote note);

  /** {@return a function that adds a note to a copy of one object of a job, to be written next} */
  UnaryOperator<HasMetadata> writer(JobRecord record, AdmissionNote note);

  /**
   * Adds a note to copies of the objects of a job.
   *
   * @return the job
   */
  default <T extends HasMetadata> T write(JobRecord record, T copy, AdmissionNote note) {
    return JobParts.map(copy, writer(record, note));
  }

  /**
   * Adds the status of a job to a copy of it that is no longer admitted.
   *
   * @return the copy
   */
  <T extends HasMetadata> T writeStatus(JobRecord record, T copy, WorkloadStatus status);

  /** {@return whether each stop has to change the job, to outdate earlier writes} */
  boolean isSeparate();

  /**
   * Removes the record after the job was restored.
   *
   * @param status the status of the job from now on
   */
  Result release(JobRecord record, WorkloadStatus status);

  /** Keeps a job from being queued again, since the engine has deactivated it. */
  void deactivate(JobRecord record, Map<String, @Nullable String> values);

  /** Shows the present status of a job, if that is not recorded yet. */
  void publish(JobRecord record);

  /** Records that a job has finished. */
  void finish(JobRecord record, boolean success, String message);

  /**
   * Outdates all records of a job but the present one, which says that the job is stopped, before
   * that is removed.
   *
   * @return whether that is stored; if not, try again after {@link #flush}
   */
  default boolean outdate(JobRecord record) {
    return true;
  }

  /** Outdates all records of a job that is not admitted. */
  default void outdateAll(HasMetadata job) {}

  /** {@return whether it remains to be stored which records are outdated} */
  default boolean hasOutdated() {
    return false;
  }

  /** {@return the jobs that waited for {@link #flush}} */
  default ImmutableSet<ObjectKey> takeOutdated() {
    return ImmutableSet.of();
  }

  /** {@return whether the present record must say that a job is stopped before it is removed} */
  default boolean outdates() {
    return false;
  }

  /**
   * Stores which records are outdated.
   *
   * @param uids the uids of all jobs
   * @return whether decisions may be made; if not, try again later
   */
  default boolean flush(Supplier<? extends Collection<String>> uids) {
    return true;
  }

  /** Prevents an earlier write of a record with unknown outcome from succeeding later. */
  Result fence(JobRecord record);

  // ----- notes without a seal of a known key

  /** {@return the content of a note without a seal of a known key, empty if there is none} */
  default Optional<AdmissionNote> unsealed(JobRecord record) {
    return Optional.empty();
  }

  /** Trusts that note until it is sealed. */
  default void accept(JobRecord record) {}

  // ----- new keys of seals

  /** Seals with other keys from now on. */
  default void setKeys(SealKeys keys) {}

  /** {@return whether there may be records that another key has sealed} */
  default boolean isRenewing() {
    return false;
  }

  /** Records that everything is sealed with the current key. */
  default void renewed() {}

  /** {@return whether jobs wait for a later step to be sealed again} */
  default boolean hasRenewals() {
    return false;
  }

  /** {@return whether a job carries something that another key has sealed} */
  default boolean isOfOldKey(JobRecord record) {
    return false;
  }

  /**
   * {@return whether a job is to be sealed again now; otherwise it is scheduled for a later step}
   */
  default boolean isRenewalDue(JobRecord record) {
    return false;
  }

  /** {@return the jobs that have to wait for a later step to be sealed again} */
  default ImmutableSet<ObjectKey> takeRenewals() {
    return ImmutableSet.of();
  }
}
