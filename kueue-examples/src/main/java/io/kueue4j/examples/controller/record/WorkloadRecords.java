package io.kueue4j.examples.controller.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.status.AdmissionWriter;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import io.kueue4j.k8s.status.WorkloadStatusWriter.FinishReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records which jobs hold quota in Workload objects, as Kueue does: the spec has the pod templates
 * of the job, and the status has its admission, conditions and checks. The record of an admission
 * exists before its job starts, and until the pods of the job are gone; a controller that starts
 * restores its state from it.
 *
 * <p>Only the status decides, because tenants cannot write it: a Workload that a tenant creates for
 * a job has none. A Workload belongs to a job if it names the uid of the job as its controller and
 * has a name derived from the job; a group of pods has the Workload of its name that one of its
 * pods owns.
 */
public final class WorkloadRecords {
  private final EngineBook book;
  private final JobReader reader;
  private final KnownWorkloads workloads;
  private final JobWrites writes;
  private final WorkloadObjectWrites objects;
  private final SliceRecords slices;
  private final PromiseRecords promises;

  public WorkloadRecords(EngineBook book, JobReader reader, JobWrites writes) {
    this.book = book;
    this.reader = reader;
    workloads = new KnownWorkloads(reader);
    this.writes = writes;
    objects = new WorkloadObjectWrites(reader, workloads, writes, book::now);
    slices = new SliceRecords(book, reader, workloads, objects, writes);
    promises = new PromiseRecords(book, workloads);
  }

  // ----- objects

  /**
   * Receives a Workload, or that it is gone.
   *
   * @return the jobs that it names as owners, before and now
   */
  public ImmutableSet<ObjectKey> see(ObjectKey key, Optional<HasMetadata> object) {
    if (object.isEmpty()) {
      objects.forget(key);
    }
    return workloads.see(key, object);
  }

  /** {@return the Workloads that are being deleted, and are kept by the controller} */
  public ImmutableSet<ObjectKey> deleted() {
    return workloads.deleted();
  }

  /**
   * Removes the finalizer of a Workload that is being deleted, unless its job holds quota by it;
   * not so another job of the same name, nor one that waits while its record cannot be read.
   *
   * @return whether that succeeded, or is not to be done
   */
  public boolean releaseDeleted(ObjectKey key, Function<ObjectKey, Optional<JobRecord>> jobs) {
    GenericKubernetesResource object = workloads.get(key);
    if (object == null || !workloads.deleted().contains(key)) {
      return true;
    }
    boolean isHeld = KnownWorkloads.holdsQuota(object)
        && KnownWorkloads.jobs(object).stream()
            .flatMap(job -> jobs.apply(job).stream())
            .anyMatch(record -> KnownWorkloads.isOwned(object, record.job()) && mayHold(record));
    return isHeld || writes.replaceAlone(WorkloadObjects.withoutFinalizer(object));
  }

  /** Keeps the record of an admission from being deleted before its job has stopped. */
  public void keep(JobRecord record) {
    Optional<Result> unused = workloads
        .find(record.job())
        .filter(object -> WorkloadObjects.isAdmitted(object)
            && !JobParts.isDeleted(object)
            && !object.hasFinalizer(WorkloadObjects.FINALIZER))
        .map(object -> writes.replace(record, WorkloadObjects.withFinalizer(object)));
  }

  private boolean mayHold(JobRecord record) {
    return read(record).or(record.memory()::inForce).isPresent()
        || unreadable(record).isPresent();
  }

  /** {@return whether a Workload is the one of a job that is known} */
  public boolean hasJob(
      GenericKubernetesResource object, Function<ObjectKey, Optional<JobRecord>> jobs) {
    return KnownWorkloads.jobs(object).stream()
        .flatMap(job -> jobs.apply(job).stream())
        .anyMatch(record -> workloads.all(record.job()).contains(object));
  }

  // ----- reading

  /** {@return the Workload with a key, empty if there is none} */
  public Optional<GenericKubernetesResource> object(ObjectKey key) {
    return Optional.ofNullable(workloads.get(key));
  }

  /** {@return the jobs that a Workload names as owners} */
  public ImmutableList<ObjectKey> jobs(ObjectKey workload) {
    return object(workload).map(KnownWorkloads::jobs).orElse(ImmutableList.of());
  }

  /** {@return the Workloads with an admission that the controller has recorded and not ended} */
  public ImmutableList<GenericKubernetesResource> inForce() {
    return workloads.all().stream()
        .filter(object -> KnownWorkloads.holdsQuota(object)
            && !JobAnnotations.of(object, WorkloadContent.ORIGINAL).isEmpty())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the admission that a Workload records, empty if it cannot be read} */
  public Optional<RecordedAdmission> recorded(JobRecord record, GenericKubernetesResource object) {
    return workloads
        .parse(object)
        .workload()
        .filter(imported -> imported.admission().isPresent())
        .map(imported -> WorkloadContent.of(record, object, imported));
  }

  private Optional<GenericKubernetesResource> admitted(HasMetadata job) {
    return workloads.find(job).filter(KnownWorkloads::holdsQuota);
  }

  /** {@return whether there is a Workload of a job, with an admission or without} */
  public boolean hasWorkload(HasMetadata job) {
    return workloads.find(job).isPresent();
  }

  /** {@return whether the Workload of a job has an admission} */
  public boolean isRecorded(HasMetadata job) {
    return admitted(job).isPresent();
  }

  /** {@return the recorded admission of a job, empty if there is none that can be read} */
  @CanIgnoreReturnValue
  public Optional<RecordedAdmission> read(JobRecord record) {
    Optional<RecordedAdmission> recorded =
        admitted(record.job()).flatMap(object -> recorded(record, object));
    recorded.ifPresent(record.memory()::setInForce);
    return recorded;
  }

  /** {@return why a job must not run: its record cannot be read, or another client removed it} */
  public Optional<String> breach(JobRecord record) {
    return unreadable(record)
        .or(() -> isMissing(record)
            ? Optional.of("the admission was removed from the Workload of the job, and not by this"
                + " controller")
            : Optional.empty());
  }

  private Optional<String> unreadable(JobRecord record) {
    return admitted(record.job())
        .filter(object -> recorded(record, object).isEmpty() && reader.isStarted(record.job()))
        .map(object -> "Workload " + object.getMetadata().getName() + " cannot be read: "
            + workloads.parse(object).problem());
  }

  /** {@return whether another client has removed the record of a job} */
  public boolean isMissing(JobRecord record) {
    return read(record).isEmpty()
        && record.memory().inForce().isPresent()
        && !record.memory().isRemoving();
  }

  private static String content(Admission admission) {
    return admission.quotaReservedTime().truncatedTo(ChronoUnit.SECONDS) + " "
        + Json.text(AdmissionWriter.v1beta2().write(admission));
  }

  /**
   * {@return whether an admission is the last one that this controller has recorded, or tried to
   * record}
   */
  public boolean isOwn(JobRecord record, RecordedAdmission recorded) {
    Optional<String> own = record.memory().own().map(WorkloadRecords::content);
    return own.equals(Optional.of(content(recorded.admission())));
  }

  /** The API keeps whole seconds, and the usage follows from flavors, pods and counts. */
  public boolean isUpToDate(RecordedAdmission recorded, Admission held) {
    return withoutUsage(recorded.admission()).equals(withoutUsage(held));
  }

  static JsonNode withoutUsage(Admission admission) {
    JsonNode written = Json.tree(AdmissionWriter.v1beta2().write(admission));
    written
        .path("podSetAssignments")
        .forEach(assignment -> ((ObjectNode) assignment).remove("resourceUsage"));
    return written;
  }

  /** {@return the status of a waiting job since it was stopped last, empty if there is none} */
  public Optional<WorkloadStatus> status(JobRecord record) {
    return workloads
        .find(record.job())
        .filter(object -> !WorkloadObjects.isAdmitted(object))
        .flatMap(object -> workloads.parse(object).workload())
        .map(ImportedWorkload::status)
        .filter(status -> status.condition(ConditionType.EVICTED).isPresent()
            || status.condition(ConditionType.REQUEUED).isPresent());
  }

  /** {@return whether users and administrators let the job be queued and run} */
  public boolean isActive(HasMetadata job) {
    return JobAnnotations.isActive(job)
        && workloads.find(job).map(WorkloadObjects::isActive).orElse(true);
  }

  /** {@return the states of the admission checks of a job with quota} */
  public List<AdmissionCheckState> checks(JobRecord record) {
    return workloads
        .find(record.job())
        .flatMap(object -> workloads.parse(object).workload())
        .map(imported -> imported.status().admissionChecks())
        .orElse(List.of());
  }

  /** {@return why a workload cannot be queued, empty if it can} */
  public Optional<String> refusal(JobRecord record, Workload workload) {
    return object(KnownWorkloads.key(workload.id()))
        .filter(object -> !KnownWorkloads.isOwned(object, record.job()))
        .map(object -> "Workload " + workload.name() + " exists and belongs to another job or to"
            + " none; delete it, so that the controller can create the one of this job")
        .or(() -> kept(record))
        .or(() -> objects.excess(record, workload));
  }

  /** {@return why a deleted Workload of a job is still there, empty if others do not keep it} */
  public Optional<String> kept(JobRecord record) {
    return workloads.all(record.job()).stream()
        .filter(object -> JobParts.isDeleted(object)
            && !WorkloadObjects.foreignFinalizers(object).isEmpty())
        .findFirst()
        .map(object -> "Workload " + object.getMetadata().getName() + " of the job is being"
            + " deleted, and other controllers keep it by its finalizers "
            + WorkloadObjects.foreignFinalizers(object)
            + "; the job is queued when it is gone");
  }

  /** {@return whether it is known that the controller had queued the job} */
  public boolean wasQueued(JobRecord record) {
    // Another client may have removed the owner.
    return hasWorkload(record.job())
        || object(KnownWorkloads.key(
                WorkloadId.of(record.key().namespace(), reader.workloadName(record.job()))))
            .isPresent();
  }

  // ----- writing

  /** Stores what must exist before a job holds quota. */
  public Result prepare(JobRecord record, Workload workload) {
    for (GenericKubernetesResource object : workloads.all(record.job())) {
      if (!object.getMetadata().getName().equals(workload.name())) {
        // The Workload of an earlier generation of an elastic job, until it is gone.
        return !JobParts.isDeleted(object) && writes.delete(record, object) == Result.REFUSED
            ? Result.REFUSED
            : Result.LATER;
      }
    }
    Optional<GenericKubernetesResource> unreadable =
        admitted(record.job()).filter(object -> !JobParts.isDeleted(object));
    if (unreadable.isPresent()) {
      // Its admission must not be in force again when it is corrected.
      Result released = objects.apply(
          record,
          unreadable.get(),
          WorkloadStatusWriter.write(
              unreadable.get(), workload, WorkloadStatus.builder().build(), Optional.empty()));
      if (released != Result.DONE) {
        return released;
      }
    }
    return objects.prepare(record, workload);
  }

  /** {@return the promised starts of jobs that wait} */
  public PromiseRecords promises() {
    return promises;
  }

  /** {@return the Workloads of elastic slices} */
  public SliceRecords slices() {
    return slices;
  }

  /** Stores an admission; call it before the job is written. */
  public Result store(JobRecord record, RecordedAdmission recorded) {
    Optional<GenericKubernetesResource> found = named(record, recorded);
    if (found.isEmpty()) {
      // It was deleted since it was created.
      return Result.LATER;
    }
    objects.forgetWanted(record);
    Workload workload = record.workload().map(recorded::sized).orElse(recorded.workload());
    GenericKubernetesResource object = found.get();
    if (WorkloadObjects.isAdmitted(object) && !workloads.requests(object, recorded.workload())) {
      // An elastic job runs on with fewer pods.
      Result resized = writes.replaceIfChanged(
          record,
          object,
          WorkloadObjects.withActive(
              WorkloadWriter.update(object, workload), WorkloadObjects.isActive(object)));
      if (resized != Result.DONE) {
        return resized;
      }
      object = named(record, recorded).orElseThrow();
    }
    GenericKubernetesResource written = ObjectConditions.remove(
        WorkloadStatusWriter.write(
            object, workload, recorded.status(), Optional.of(recorded.admission())),
        WorkloadObjects.PROMISED_START,
        WorkloadStatusWriter.FINISHED);
    written = withStopping(written, recorded.stopping());
    if (!recorded.slices().isEmpty()) {
      written = ObjectConditions.set(
          written,
          WorkloadObjects.TPU_SLICES,
          true,
          "Assigned",
          recorded.slices(),
          recorded.admission().quotaReservedTime());
    }
    record.memory().setOwn(recorded.admission());
    return objects.apply(record, object, written);
  }

  /** {@return a copy of {@code object} that says why its job must stop, if it must} */
  private static GenericKubernetesResource withStopping(
      GenericKubernetesResource object, Optional<Stopping> stopping) {
    return stopping
        .map(why -> ObjectConditions.set(
            object, WorkloadObjects.STOPPING, true, why.reason(), why.message(), why.time()))
        .orElseGet(() -> ObjectConditions.remove(object, WorkloadObjects.STOPPING));
  }

  private Optional<GenericKubernetesResource> named(JobRecord record, RecordedAdmission recorded) {
    return workloads.all(record.job()).stream()
        .filter(
            object -> object.getMetadata().getName().equals(recorded.workload().name()))
        .findFirst();
  }

  /**
   * Removes the admission after the job was restored.
   *
   * @param status the status of the job from now on
   */
  public Result release(JobRecord record, WorkloadStatus status) {
    // Another client may have removed its owner, and could put that back later.
    Optional<GenericKubernetesResource> found = record
        .memory()
        .inForce()
        .flatMap(recorded -> object(KnownWorkloads.key(recorded.id())))
        .or(() -> workloads.find(record.job()));
    if (found.isEmpty()) {
      return Result.DONE;
    }
    GenericKubernetesResource object = found.get();
    if (JobParts.isDeleted(object)) {
      return writes.replaceIfChanged(record, object, WorkloadObjects.withoutFinalizer(object));
    }
    if (EngineBook.isDeactivated(status)
        && JobAnnotations.isActive(record.job())
        && WorkloadObjects.isActive(object)) {
      Result deactivated = writes.replace(record, WorkloadObjects.withActive(object, false));
      if (deactivated != Result.DONE) {
        return deactivated;
      }
      object = object(ObjectKey.of(object)).orElseThrow();
    }
    Workload workload = record
        .workload()
        .or(() -> record.memory().inForce().map(RecordedAdmission::workload))
        .orElseThrow();
    return objects.apply(
        record,
        object,
        ObjectConditions.remove(
            WorkloadStatusWriter.write(object, workload, status, Optional.empty()),
            WorkloadObjects.STOPPING,
            WorkloadObjects.TPU_SLICES));
  }

  /**
   * Shows the present status of a job, if that is not recorded yet.
   *
   * @return until when it waits with the start that the job is promised, empty if it does not
   */
  @CanIgnoreReturnValue
  public Optional<Instant> publish(JobRecord record) {
    Optional<GenericKubernetesResource> found =
        workloads.find(record.job()).filter(object -> !JobParts.isDeleted(object));
    if (found.isEmpty() || record.workload().isEmpty()) {
      return Optional.empty();
    }
    GenericKubernetesResource object = found.get();
    Workload workload = record.workload().get();
    Optional<Admission> admission = book.admission(workload.id());
    if (admission.isPresent() != WorkloadObjects.isAdmitted(object)
        || own(record, object) != Result.DONE) {
      return Optional.empty();
    }
    object = workloads.find(record.job()).orElse(object);
    GenericKubernetesResource written = promises.write(
        workload.id(),
        WorkloadStatusWriter.write(object, workload, book.status(workload.id()), admission));
    Optional<Instant> early = objects.publish(record, object, written);
    slices.publish(record);
    return PromiseRecords.start(object).equals(PromiseRecords.start(written))
        ? Optional.empty()
        : early;
  }

  /**
   * Makes the Workload of a group belong to all its pods, so that it lasts as long as one of them;
   * call it before more pods are started.
   */
  public Result own(JobRecord record) {
    return workloads.find(record.job()).map(object -> own(record, object)).orElse(Result.LATER);
  }

  private Result own(JobRecord record, GenericKubernetesResource object) {
    HasMetadata job = record.job();
    List<String> uids = JobParts.startable(job).stream().map(JobParts::uid).toList();
    return JobParts.isGroup(job) && !WorkloadObjects.ownerUids(object).containsAll(uids)
        ? writes.replace(record, WorkloadObjects.withOwners(object, WorkloadWriter.owners(job)))
        : Result.DONE;
  }

  /** Records that a job has finished. */
  public void finish(JobRecord record, boolean success, String message) {
    slices.settle(record);
    workloads.find(record.job()).filter(object -> !JobParts.isDeleted(object)).ifPresent(object -> {
      GenericKubernetesResource finished = WorkloadStatusWriter.finish(
          ObjectConditions.remove(object, WorkloadObjects.STOPPING),
          success ? FinishReason.SUCCEEDED : FinishReason.FAILED,
          message,
          book.now());
      Result unused = objects.apply(record, object, finished);
    });
  }

  /** Prevents earlier writes of records with unknown outcome from succeeding later. */
  public Result fence(JobRecord record) {
    return workloads.all(record.job()).stream()
        .filter(object -> record.isUncertain(ObjectKey.of(object)))
        .map(object -> writes.replace(
            record,
            WorkloadObjects.withAnnotation(
                object, JobAnnotations.FENCE, book.now().toString())))
        .filter(result -> result != Result.DONE)
        .findFirst()
        .orElse(Result.DONE);
  }
}
