package io.kueue4j.examples.controller.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjectWrites.Content;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import java.util.Locale;
import java.util.Optional;

/**
 * The Workloads to create for jobs in their original form. What is compared with the stored
 * Workload is kept of the last version of each job; the rest would take as much memory again.
 */
final class WantedWorkloads {
  private static final int KIB = 1024;

  /** The largest request that etcd accepts unless it is started with another limit. */
  private static final int MAX_REQUEST_BYTES = 1536 * KIB;

  /** What the server and the status add to a Workload after its creation. */
  private static final int RESERVED_BYTES = 512 * KIB;

  private static final int MAX_BYTES = MAX_REQUEST_BYTES - RESERVED_BYTES;

  private final JobReader reader;
  private final Cache<JobRecord, Wanted> wantedByJob =
      CacheBuilder.newBuilder().weakKeys().build();

  private record Wanted(HasMetadata job, Workload workload, Content content, int bytes) {}

  WantedWorkloads(JobReader reader) {
    this.reader = reader;
  }

  /** {@return the Workload to create for a job, with what is needed to restore the job} */
  GenericKubernetesResource object(HasMetadata job, Workload workload) {
    return WorkloadContent.content(reader, job, workload, reader.editor().snapshot(job));
  }

  /** {@return what of the Workload to create for a job is compared with the stored one} */
  Content content(JobRecord record, Workload workload) {
    return wanted(record, workload).content();
  }

  /** {@return why the Workload of a job is too large to be stored, empty if it is not} */
  Optional<String> excess(JobRecord record, Workload workload) {
    int bytes = wanted(record, workload).bytes();
    return bytes <= MAX_BYTES
        ? Optional.empty()
        : Optional.of(String.format(
            Locale.ROOT,
            "the Workload would take %,d bytes, and may take %,d: etcd stores %,d, and the status"
                + " needs the rest; make the pod templates of the job smaller",
            bytes,
            MAX_BYTES,
            MAX_REQUEST_BYTES));
  }

  @SuppressWarnings("ReferenceEquality") // which version of the job it is, not what it says
  private Wanted wanted(JobRecord record, Workload workload) {
    Wanted before = wantedByJob.getIfPresent(record);
    if (before != null && before.job() == record.job() && before.workload().equals(workload)) {
      return before;
    }
    GenericKubernetesResource object = object(record.job(), workload);
    Wanted wanted = new Wanted(
        record.job(), workload, Content.of(object), Json.text(object).getBytes(UTF_8).length);
    wantedByJob.put(record, wanted);
    return wanted;
  }

  /** Forgets a job that waits no longer. */
  void forget(JobRecord job) {
    wantedByJob.invalidate(job);
  }
}
