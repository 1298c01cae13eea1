package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;

/** The notes on jobs, sealed or not. */
final class WrittenNotes {
  private WrittenNotes() {}

  /** {@return the note on a job, empty if there is none, or one of another job} */
  static Optional<AdmissionNote> of(HasMetadata job) {
    String text = JobAnnotations.get(job, JobAnnotations.ADMISSION);
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(NoteJson.read(
                Strings.nullToEmpty(job.getMetadata().getNamespace()), Json.parse(text)))
            .filter(
                note -> note.uid().equals(Strings.nullToEmpty(job.getMetadata().getUid())));
  }

  /** {@return the status of a job before it was stopped, empty if there is none} */
  static Optional<WorkloadStatus> status(HasMetadata job) {
    String text = JobAnnotations.get(job, JobAnnotations.STATUS);
    return text.isEmpty() ? Optional.empty() : Optional.of(StatusJson.read(Json.parse(text)));
  }
}
