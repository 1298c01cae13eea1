package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
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
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
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
    Set<WorkloadId> known = new HashSet<>();
    for (Manifest manifest : ManifestFiles.readSources(List.of(source)).items()) {
      if (found.size() < limit && manifest.is(KueueReader.GROUP, KueueReader.WORKLOAD)) {
        try {
          read(manifest, known, skipped).ifPresent(found::add);
        } catch (ManifestException e) {
          e.problems()
              .forEach(problem ->
                  skipped.bad(problem.line(), problem.field() + ": " + problem.message()));
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

  private static Optional<Finished> read(
      Manifest manifest, Set<WorkloadId> known, SkippedLines skipped) {
    Workload workload = READER.read(manifest).workload();
    if (!known.add(workload.id())) {
      skipped.bad(manifest.line(), "the Workload occurs before");
      return Optional.empty();
    }
    if (workload.creationTime().isEmpty()) {
      skipped.bad(manifest.line(), "the Workload has no creationTimestamp");
      return Optional.empty();
    }
    Optional<Instant> admitted =
        since(manifest, "Admitted").or(() -> since(manifest, "QuotaReserved"));
    Optional<Instant> end = since(manifest, "Finished");
    if (end.isEmpty() || admitted.filter(at -> !at.isAfter(end.get())).isEmpty()) {
      skipped.leftOut(manifest.line(), "the Workload has not run to its end");
      return Optional.empty();
    }
    if (Duration.between(workload.creationTime().get(), end.get()).toSeconds()
        > Times.MAX_SECONDS) {
      skipped.bad(manifest.line(), "a time of more than a century");
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
  private static Optional<Instant> since(Manifest workload, String type) {
    GenericKubernetesResource resource = workload.as(GenericKubernetesResource.class);
    if (resource.get("status", "conditions") instanceof List<?> conditions) {
      for (Object condition : conditions) {
        if (condition instanceof Map<?, ?> fields
            && type.equals(fields.get("type"))
            && "True".equals(fields.get("status"))
            && fields.get("lastTransitionTime") instanceof String time) {
          return Optional.of(time(workload, type, time));
        }
      }
    }
    return Optional.empty();
  }

  private static Instant time(Manifest workload, String type, String time) {
    try {
      return OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeParseException e) {
      throw new ManifestException(ImmutableList.of(workload.issue(
          "status.conditions",
          "the condition " + type + " has the lastTransitionTime '" + time
              + "'; expected a time such as 2026-01-31T12:00:00Z")));
    }
  }
}
