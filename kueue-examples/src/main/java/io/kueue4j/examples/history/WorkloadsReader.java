package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads finished Workloads, as {@code kubectl get workloads -A -o json} prints them, also with
 * {@code --watch}: submitted at their creation, they ran from their admission until they finished.
 * Of the versions of a Workload the first finished one counts. Namespaces count as users.
 */
final class WorkloadsReader {
  private static final WorkloadReader READER = new WorkloadReader(PodTemplates.plain());

  private static final ImmutableSet<String> VERSIONS =
      ImmutableSet.of(KueueApiVersion.V1BETA1.apiVersion(), KueueApiVersion.V1BETA2.apiVersion());

  private final String source;
  private final int limit;
  private final SkippedLines skipped = new SkippedLines();

  /** By id and uid. */
  private final Map<String, Finished> found = new LinkedHashMap<>();

  /** The lines of Workloads that have not finished, by id and uid. */
  private final Map<String, Long> unfinished = new LinkedHashMap<>();

  private WorkloadsReader(String source, int limit) {
    this.source = source;
    this.limit = limit;
  }

  private record Finished(Workload workload, Instant created, Instant admitted, Instant end) {}

  /**
   * {@return the history of Workloads in YAML, or in JSON, one object after another}
   *
   * @param source the name of the file
   * @param json whether it is JSON
   * @param content the file
   * @param limit the largest number of jobs
   */
  static History read(String source, boolean json, InputStream content, int limit)
      throws IOException {
    WorkloadsReader reader = new WorkloadsReader(source, limit);
    if (json) {
      reader.objects(new ByteLines(content));
    } else {
      reader.manifests(ManifestSource.of(source, content), 1);
    }
    return reader.history();
  }

  /** Reads objects that have one line each, or end with a line that begins with a brace. */
  private void objects(ByteLines lines) throws IOException {
    StringBuilder object = new StringBuilder();
    boolean compact = false;
    long first = 1;
    while (found.size() < limit && lines.next()) {
      String line = lines.text();
      if (object.isEmpty()) {
        first = lines.number();
        compact = compact || (line.startsWith("{") && line.endsWith("}"));
      }
      object.append(line).append('\n');
      if (compact) {
        compactObject(object.toString(), first);
        object.setLength(0);
      } else if (line.startsWith("}")) {
        manifests(ManifestSource.of(source, object.toString()), first);
        object.setLength(0);
      }
    }
    if (!object.toString().isBlank()) {
      manifests(ManifestSource.of(source, object.toString()), first);
    }
  }

  /** Reads an object of one line, which need not be whole if a program was stopped meanwhile. */
  private void compactObject(String line, long number) {
    try {
      if (!line.isBlank()) {
        manifests(ManifestSource.of(source, line), number);
      }
    } catch (InputException e) {
      skipped.bad(number, "not the JSON of an object");
    }
  }

  private void manifests(ManifestSource manifests, long firstLine) {
    for (Manifest manifest : ManifestFiles.readSources(List.of(manifests)).items()) {
      if (found.size() < limit && manifest.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD)) {
        try {
          read(manifest, manifest.line() + firstLine - 1);
        } catch (ManifestException e) {
          e.problems()
              .forEach(problem -> skipped.bad(
                  problem.line() + firstLine - 1, problem.field() + ": " + problem.message()));
        }
      }
    }
  }

  /** {@return the Workload of a manifest, empty if it is of another version, or invalid} */
  private Optional<Workload> workload(Manifest manifest, long line) {
    if (!VERSIONS.contains(manifest.apiVersion())) {
      skipped.bad(line, "a Workload of " + manifest.apiVersion() + "; expected one of " + VERSIONS);
      return Optional.empty();
    }
    Workload workload = READER.read(manifest).workload();
    Optional<Violation> wrong = Settings.defaults().violations(workload).stream()
        .filter(violation -> violation.field().startsWith("podSets"))
        .findFirst();
    wrong.ifPresent(violation -> skipped.bad(line, violation.field() + ": " + violation.problem()));
    return wrong.isPresent() ? Optional.empty() : Optional.of(workload);
  }

  private void read(Manifest manifest, long line) {
    workload(manifest, line).ifPresent(workload -> read(workload, manifest, line));
  }

  private void read(Workload workload, Manifest manifest, long line) {
    String key = workload.id() + " " + workload.uid();
    Optional<Instant> admitted =
        since(manifest, "Admitted").or(() -> since(manifest, "QuotaReserved"));
    Optional<Instant> end = since(manifest, "Finished");
    if (found.containsKey(key)) {
      skipped.leftOut(line, "the Workload occurs before, finished");
    } else if (workload.creationTime().isEmpty()) {
      skipped.bad(line, "the Workload has no creationTimestamp");
    } else if (end.isEmpty() || admitted.filter(at -> !at.isAfter(end.get())).isEmpty()) {
      unfinished.put(key, line);
    } else if (Duration.between(workload.creationTime().get(), end.get()).toSeconds()
        > Times.MAX_SECONDS) {
      skipped.bad(line, "a time of more than a century");
    } else {
      found.put(
          key, new Finished(workload, workload.creationTime().get(), admitted.get(), end.get()));
    }
  }

  private History history() {
    unfinished.keySet().removeAll(found.keySet());
    unfinished
        .values()
        .forEach(line -> skipped.leftOut(line, "the Workload has not run to its end"));
    JobList jobs = new JobList(skipped);
    for (Finished finished : found.values()) {
      WorkloadId id = finished.workload().id();
      jobs.add(job(jobs.unusedName(id.namespace(), id.name()), finished), 0);
    }
    return History.ofTimes(source, jobs.finish(), skipped);
  }

  private static HistoryJob job(String name, Finished finished) {
    Workload workload = finished.workload();
    return new HistoryJob(
        name,
        new Times(
            finished.created().toEpochMilli(),
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
