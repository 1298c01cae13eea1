package io.kueue4j.examples.controller.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;

/** Converts between Workload objects and what they say about the admission of their jobs. */
final class WorkloadContent {
  /** What the start of the job changes, before the change, and a digest of the written spec. */
  static final String ORIGINAL = "kueue4j.io/original";

  private WorkloadContent() {}

  /** {@return the admission of a job, as its Workload says} */
  static RecordedAdmission of(
      JobRecord record, GenericKubernetesResource object, ImportedWorkload imported) {
    Workload.Builder workload =
        Workload.builder().from(imported.workload()).creationTime(Optional.empty());
    if (!record.uid().isEmpty()) {
      workload.uid(record.uid());
    }
    String created = record.job().getMetadata().getCreationTimestamp();
    if (!Strings.isNullOrEmpty(created)) {
      workload.creationTime(OffsetDateTime.parse(created).toInstant());
    }
    return new RecordedAdmission(
        workload.build(),
        imported.admission().orElseThrow(),
        imported.status(),
        stopping(object),
        before(object),
        WorkloadObjects.condition(object, WorkloadObjects.TPU_SLICES)
            .map(condition -> Objects.toString(condition.get("message"), ""))
            .orElse(""));
  }

  /**
   * {@return the Workload to create for a job}
   *
   * @param original the job before its start
   * @param before what the start changes in the job
   */
  static GenericKubernetesResource content(
      JobReader reader, HasMetadata original, Workload workload, JobSnapshot before) {
    GenericKubernetesResource written = WorkloadWriter.of(
            KueueApiVersion.V1BETA2, reader.workloads())
        .write(original, Workload.builder().from(workload).active(true).build());
    ObjectNode annotation = Json.object();
    annotation.put(
        "spec",
        Hashing.sha256()
            .hashString(Json.text(WorkloadObjects.spec(written)), UTF_8)
            .toString());
    annotation.set("before", SnapshotJson.write(before));
    return WorkloadObjects.withAnnotation(written, ORIGINAL, Json.text(annotation));
  }

  private static Optional<Stopping> stopping(GenericKubernetesResource object) {
    return WorkloadObjects.condition(object, WorkloadObjects.STOPPING)
        .filter(condition -> "True".equals(condition.get("status")))
        .map(condition -> new Stopping(
            Objects.toString(condition.get("reason"), ""),
            Objects.toString(condition.get("message"), ""),
            Instant.parse(Objects.toString(condition.get("lastTransitionTime")))))
        .or(() -> Optional.ofNullable(object.getMetadata().getDeletionTimestamp())
            .map(time -> new Stopping(
                "WorkloadDeleted", "The Workload of the job was deleted", Instant.parse(time))));
  }

  private static JobSnapshot before(GenericKubernetesResource object) {
    try {
      return SnapshotJson.read(Json.parse(JobAnnotations.of(object, ORIGINAL)).path("before"));
    } catch (IllegalArgumentException e) {
      // The job is suspended and otherwise left as it is, with an event.
      return new JobSnapshot(ImmutableList.of(), JobSnapshot.SavedFields.none());
    }
  }
}
