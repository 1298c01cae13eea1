package io.kueue4j.examples.controller.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import com.google.common.base.Utf8;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Condition;
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
import io.kueue4j.k8s.status.ObjectConditions;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads what Workload objects say about the admission of their jobs, and makes the Workloads to
 * create for jobs in their original form. What is compared with the stored Workload is kept of the
 * last version of each job; the rest would take as much memory again.
 */
final class WorkloadContent {
  /** What the start of the job changes, before the change, and a digest of the written spec. */
  static final String ORIGINAL = "kueue4j.io/original";

  private static final int KIB = 1024;

  /** The largest request that etcd accepts unless it is started with another limit. */
  private static final int MAX_REQUEST_BYTES = 1536 * KIB;

  /** What the server and the status add to a Workload after its creation. */
  private static final int RESERVED_BYTES = 512 * KIB;

  /** What is annotated later: the pods that the job has left, above all. */
  private static final int RESERVED_ANNOTATION_BYTES = 4 * KIB;

  private final JobReader reader;
  private final Cache<JobRecord, Wanted> wantedByJob =
      CacheBuilder.newBuilder().weakKeys().build();

  private record Wanted(
      HasMetadata job, Workload workload, Content content, int bytes, int annotationBytes) {}

  /**
   * What of the Workload of a job is compared with the stored one, except for its pods.
   *
   * @param original the annotation with the original form of the job and a digest of the spec
   */
  record Content(String original, ImmutableSet<String> ownerUids) {
    static Content of(GenericKubernetesResource object) {
      return new Content(JobAnnotations.of(object, ORIGINAL), WorkloadObjects.ownerUids(object));
    }
  }

  WorkloadContent(JobReader reader) {
    this.reader = reader;
  }

  /** {@return the admission of a job, as its Workload says} */
  static RecordedAdmission of(
      JobRecord record, GenericKubernetesResource object, ImportedWorkload imported) {
    String created = record.job().getMetadata().getCreationTimestamp();
    Workload.Builder workload = Workload.builder()
        .from(imported.workload())
        .creationTime(Optional.ofNullable(Strings.emptyToNull(created)).map(Instant::parse));
    if (!record.uid().isEmpty()) {
      workload.uid(record.uid());
    }
    return new RecordedAdmission(
        workload.build(),
        imported.admission().orElseThrow(),
        imported.status(),
        stopping(object),
        before(object),
        ObjectConditions.find(object, WorkloadObjects.TPU_SLICES)
            .map(Condition::getMessage)
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
    String spec = Json.text(WorkloadObjects.spec(written));
    ObjectNode annotation =
        Json.object().put("spec", Hashing.sha256().hashString(spec, UTF_8).toString());
    annotation.set("before", Json.parse(before.toJson()));
    return WorkloadObjects.withAnnotation(written, ORIGINAL, Json.text(annotation));
  }

  /** {@return the Workload to create for a job, with what is needed to restore the job} */
  GenericKubernetesResource object(HasMetadata job, Workload workload) {
    return content(reader, job, workload, reader.editor().snapshot(job));
  }

  /** {@return what of the Workload to create for a job is compared with the stored one} */
  Content content(JobRecord record, Workload workload) {
    return wanted(record, workload).content();
  }

  /** {@return why the Workload of a job is too large to be stored, empty if it is not} */
  Optional<String> excess(JobRecord record, Workload workload) {
    Wanted wanted = wanted(record, workload);
    return excess(wanted.bytes(), MAX_REQUEST_BYTES, RESERVED_BYTES)
        .map(size -> "the Workload " + size + " etcd stores, since the status needs the rest; make"
            + " the pod templates of the job smaller")
        .or(() -> excess(
                wanted.annotationBytes(),
                WorkloadObjects.MAX_ANNOTATION_BYTES,
                RESERVED_ANNOTATION_BYTES)
            .map(size -> "the annotations of the Workload " + size + " the API server accepts; make"
                + " the annotations of the pod templates of the job smaller"));
  }

  private static Optional<String> excess(int bytes, int max, int reserved) {
    return bytes <= max - reserved
        ? Optional.empty()
        : Optional.of(String.format(
            Locale.ROOT,
            "would take %,d bytes, and may take %,d of the %,d that",
            bytes,
            max - reserved,
            max));
  }

  @SuppressWarnings("ReferenceEquality") // which version of the job it is, not what it says
  private Wanted wanted(JobRecord record, Workload workload) {
    Wanted before = wantedByJob.getIfPresent(record);
    if (before != null && before.job() == record.job() && before.workload().equals(workload)) {
      return before;
    }
    GenericKubernetesResource object = object(record.job(), workload);
    Wanted wanted = new Wanted(
        record.job(),
        workload,
        Content.of(object),
        Utf8.encodedLength(Json.text(object)),
        WorkloadObjects.annotationBytes(object));
    wantedByJob.put(record, wanted);
    return wanted;
  }

  /** Forgets a job that waits no longer. */
  void forget(JobRecord job) {
    wantedByJob.invalidate(job);
  }

  private static Optional<Stopping> stopping(GenericKubernetesResource object) {
    return ObjectConditions.find(object, WorkloadObjects.STOPPING)
        .filter(condition -> "True".equals(condition.getStatus()))
        .map(condition -> new Stopping(
            Strings.nullToEmpty(condition.getReason()),
            Strings.nullToEmpty(condition.getMessage()),
            Instant.parse(Strings.nullToEmpty(condition.getLastTransitionTime()))))
        .or(() -> Optional.ofNullable(object.getMetadata().getDeletionTimestamp())
            .map(time -> new Stopping(
                "WorkloadDeleted", "The Workload of the job was deleted", Instant.parse(time))));
  }

  private static JobSnapshot before(GenericKubernetesResource object) {
    try {
      return JobSnapshot.ofJson(
          Json.parse(JobAnnotations.of(object, ORIGINAL)).path("before").toString());
    } catch (IllegalArgumentException e) {
      // The job is suspended and otherwise left as it is, with an event.
      return new JobSnapshot(ImmutableList.of(), JobSnapshot.SavedFields.none());
    }
  }
}
