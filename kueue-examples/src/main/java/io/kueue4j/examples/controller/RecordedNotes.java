package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.simulation.RecordedStates;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the notes that the controller writes on jobs, as a study of the cluster does: seals are not
 * verified, since only the controller has the keys.
 */
public final class RecordedNotes implements RecordedStates {
  private final Seals seals = new Seals(Optional.empty());

  /** Creates the reader. */
  public RecordedNotes() {}

  @Override
  public Optional<Recorded> of(HasMetadata job, JobWorkloads workloads) {
    Optional<AdmissionNote> note = note(job);
    if (note.isPresent()) {
      return Optional.of(held(job, note.get(), workloads));
    }
    Optional<WorkloadStatus> status = text(job, JobAnnotations.STATUS).map(StatusJson::read);
    if (status.isEmpty() && JobAnnotations.isActive(job)) {
      return Optional.empty();
    }
    return converted(job, workloads)
        .map(workload -> new Recorded(
            job,
            imported(
                Workload.builder()
                    .from(workload)
                    .active(JobAnnotations.isActive(job))
                    .build(),
                Optional.empty(),
                status.orElseGet(WorkloadStatus::empty))));
  }

  private Optional<AdmissionNote> note(HasMetadata job) {
    String namespace = ObjectKey.of(JobParts.subject(job)).namespace();
    return text(job, JobAnnotations.ADMISSION)
        .map(json -> NoteJson.read(namespace, json))
        .filter(note -> JobParts.isGroup(job)
            || note.uid().equals(Objects.toString(job.getMetadata().getUid(), "")));
  }

  private Optional<ObjectNode> text(HasMetadata job, String annotation) {
    return Optional.of(JobAnnotations.get(job, annotation))
        .filter(text -> !text.isEmpty())
        .map(text -> seals.open(job, annotation, text).json());
  }

  private static Recorded held(HasMetadata job, AdmissionNote note, JobWorkloads workloads) {
    HasMetadata original = original(job, note, workloads);
    Optional<Workload> read = converted(original, workloads);
    Workload workload = read.filter(note::isOf)
        .map(same -> Workload.builder()
            .from(same)
            .name(note.workload().name())
            .queueName(note.workload().queueName())
            .build())
        .orElseGet(() -> note.admitted(read));
    Admission admission = NoteChecks.counted(note.admission(), workload);
    return new Recorded(original, imported(workload, Optional.of(admission), note.status()));
  }

  private static HasMetadata original(HasMetadata job, AdmissionNote note, JobWorkloads workloads) {
    try {
      return JobFacts.of(workloads.kinds(), job).isStoppable()
          ? JobEditor.of(workloads.kinds()).stop(job, note.before())
          : job;
    } catch (JobStartException e) {
      return job;
    }
  }

  private static Optional<Workload> converted(HasMetadata job, JobWorkloads workloads) {
    return workloads.convertAll(job).stream()
        .filter(JobConversion.Converted.class::isInstance)
        .map(conversion -> ((JobConversion.Converted) conversion).workload())
        .findFirst();
  }

  private static ImportedWorkload imported(
      Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    return new ImportedWorkload(workload, admission, status, Optional.empty(), ImmutableList.of());
  }
}
