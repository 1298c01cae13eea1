package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One manifest of each kind of job without a class, and ways to change them. */
final class KindManifests {
  static final JobKinds KINDS = JobKinds.all(JobKinds.TrainingRuntimes.of(
      Jobs.read("training-runtimes.yaml", GenericKubernetesResource.class)));
  static final JobWorkloads WORKLOADS = JobWorkloads.builder()
      .kinds(KINDS)
      .addWorkloadPriorityClasses(new WorkloadPriorityClass("high", 7))
      .build();

  private static final ImmutableMap<String, GenericKubernetesResource> JOBS = read("kinds.yaml");

  private KindManifests() {}

  /** The kinds that can be suspended and started. */
  static ImmutableList<String> kinds() {
    return JOBS.keySet().asList();
  }

  /** A new copy of the manifest of a kind. */
  static GenericKubernetesResource get(String kind) {
    return copy(Objects.requireNonNull(JOBS.get(kind)));
  }

  static ImmutableMap<String, GenericKubernetesResource> read(String resource) {
    Map<String, GenericKubernetesResource> jobs = new LinkedHashMap<>();
    Jobs.read(resource, GenericKubernetesResource.class)
        .forEach(job -> jobs.putIfAbsent(job.getKind(), job));
    return ImmutableMap.copyOf(jobs);
  }

  static GenericKubernetesResource copy(GenericKubernetesResource job) {
    return Jobs.MAPPER.convertValue(job, GenericKubernetesResource.class);
  }

  /** The manifest of a kind with {@code value} at a path. */
  static GenericKubernetesResource with(String kind, String path, @Nullable Object value) {
    GenericKubernetesResource job = get(kind);
    return with(job, RawPath.of(path), value);
  }

  static GenericKubernetesResource with(
      GenericKubernetesResource job, RawPath path, @Nullable Object value) {
    return GenericJobKind.with(job, RawTree.with(GenericJobKind.root(job), path, value));
  }

  static GenericKubernetesResource without(String kind, String path) {
    GenericKubernetesResource job = get(kind);
    return GenericJobKind.with(job, RawTree.without(GenericJobKind.root(job), RawPath.of(path)));
  }

  /** The pod sets as name, count and requests, for example {@code main x3 {cpu=1000}}. */
  static List<String> podSets(GenericKubernetesResource job) {
    return WORKLOADS.convert(job).orElseThrow().workload().podSets().stream()
        .map(KindManifests::text)
        .toList();
  }

  static String text(PodSet podSet) {
    return podSet.name() + " x" + podSet.count() + " " + podSet.requests();
  }

  /** The violations of a job, as field and problem. */
  static List<String> violations(GenericKubernetesResource job) {
    return WORKLOADS
        .convert(job)
        .match(
            converted -> List.<String>of(),
            notManaged -> List.of(notManaged.message()),
            invalid -> invalid.violations().stream().map(KindManifests::text).toList());
  }

  static Map<String, Object> template(String cpu) {
    PodTemplateSpec template = Jobs.template(cpu);
    return RawTree.mapping(RawValues.of(template));
  }

  private static String text(Violation violation) {
    return violation.field() + ": " + violation.problem();
  }
}
