package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.kueue.WorkloadReader;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads finished Workloads, as {@code kubectl get workloads -A -o json} prints them: submitted at
 * their creation, they ran from their admission until they finished. Namespaces count as users.
 */
final class WorkloadsReader {
  private static final WorkloadReader READER = new WorkloadReader(PodTemplates.plain()::convert);

  private WorkloadsReader() {}

  private record Finished(Workload workload, Instant created, Instant admitted, Instant end) {}

  /** {@return the history of the Workloads in a source} */
  static History read(ManifestSource source, String name, int limit) {
    SkippedLines skipped = new SkippedLines();
    List<Finished> found = new ArrayList<>();
    for (Manifest manifest : ManifestFiles.readSources(List.of(source)).items()) {
      if (found.size() < limit && manifest.is(KueueReader.GROUP, KueueReader.WORKLOAD)) {
        try {
          read(manifest, skipped).ifPresent(found::add);
        } catch (ManifestException e) {
          skipped.bad(manifest.line(), String.valueOf(e.getMessage()));
        }
      }
    }
    Instant start =
        found.stream().map(Finished::created).min(Instant::compareTo).orElse(History.UNKNOWN_START);
    JobList jobs = new JobList(skipped);
    Set<String> names = new HashSet<>();
    for (Finished finished : found) {
      String plain = finished.workload().name();
      jobs.add(
          job(
              names.add(plain) ? plain : finished.workload().namespace() + "." + plain,
              finished,
              start),
          0);
    }
    return new History(name, start, jobs.finish(), History.Machine.unknown(), skipped);
  }

  private static Optional<Finished> read(Manifest manifest, SkippedLines skipped) {
    Workload workload = READER.read(manifest).workload();
    if (workload.creationTime().isEmpty()) {
      skipped.bad(manifest.line(), "the Workload has no creationTimestamp");
      return Optional.empty();
    }
    GenericKubernetesResource resource = manifest.as(GenericKubernetesResource.class);
    Optional<Instant> admitted =
        since(resource, "Admitted").or(() -> since(resource, "QuotaReserved"));
    Optional<Instant> end = since(resource, "Finished");
    if (end.isEmpty() || admitted.filter(at -> !at.isAfter(end.get())).isEmpty()) {
      skipped.leftOut(manifest.line(), "the Workload has not run to its end");
      return Optional.empty();
    }
    return Optional.of(
        new Finished(workload, workload.creationTime().get(), admitted.get(), end.get()));
  }

  private static HistoryJob job(String name, Finished finished, Instant start) {
    Workload workload = finished.workload();
    return new HistoryJob(
        name,
        new Times(
            Duration.between(start, finished.created()).toMillis(),
            Math.max(
                0, Duration.between(finished.created(), finished.admitted()).toMillis()),
            Duration.between(finished.admitted(), finished.end()).toMillis(),
            workload.maximumExecutionTime().map(Duration::toMillis).orElse(-1L),
            0,
            -1),
        new Labels(workload.namespace(), "", workload.namespace() + "/" + workload.queueName(), ""),
        workload.podSets(),
        workload.priority(),
        ImmutableList.of(),
        Optional.empty(),
        workload.creationTime());
  }

  /** {@return since when a condition is true, empty if it is not} */
  private static Optional<Instant> since(GenericKubernetesResource workload, String type) {
    if (workload.get("status", "conditions") instanceof List<?> conditions) {
      for (Object condition : conditions) {
        if (condition instanceof Map<?, ?> fields
            && type.equals(fields.get("type"))
            && "True".equals(fields.get("status"))
            && fields.get("lastTransitionTime") instanceof String time) {
          return Optional.of(Instant.parse(time));
        }
      }
    }
    return Optional.empty();
  }
}
