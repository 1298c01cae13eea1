package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The annotation by which a job may be scaled while it runs, and the violations of its use.
 *
 * <p>Rules: E-9, T-88.
 */
final class ElasticJobs {
  private ElasticJobs() {}

  static boolean isElastic(HasMetadata job) {
    return "true".equals(JobMetadata.annotations(job).get(MetadataKeys.ELASTIC_JOB));
  }

  /** {@return a suffix for the name of the workload that differs after every change of the job} */
  static String nameExtra(HasMetadata job) {
    Long generation = JobMetadata.metadata(job).getGeneration();
    return isElastic(job) ? String.valueOf(Objects.requireNonNullElse(generation, 0L)) : "";
  }

  /**
   * {@return the suffix for a job that creates a Ray cluster, which may be scaled without a change
   * of the job}
   */
  static String rayNameExtra(HasMetadata job) {
    String cluster =
        Strings.nullToEmpty(JobMetadata.annotations(job).get(MetadataKeys.RAY_CLUSTER_GENERATION));
    String own = nameExtra(job);
    return own.isEmpty() || cluster.isEmpty() ? own : own + "_" + cluster;
  }

  /** {@return why the job cannot be scaled although it is declared elastic} */
  static <J extends HasMetadata> List<Violation> violations(
      JobKind<J> kind, J job, List<JobPodSet> podSets) {
    if (!isElastic(job)) {
      return ImmutableList.of();
    }
    String field = MetadataKeys.annotation(MetadataKeys.ELASTIC_JOB);
    ImmutableList.Builder<Violation> violations = ImmutableList.builder();
    if (!kind.supportsElasticJobs()) {
      violations.add(new Violation(
          JobMetadata.describe(job),
          field,
          "elastic jobs are not supported for " + kind.kind() + "; remove the annotation"));
    }
    for (JobPodSet podSet : podSets) {
      Map<String, String> annotations = podSet.template().getMetadata() == null
          ? Map.of()
          : Objects.requireNonNullElse(podSet.template().getMetadata().getAnnotations(), Map.of());
      for (String level :
          ImmutableList.of(TopologyAnnotations.REQUIRED, TopologyAnnotations.PREFERRED)) {
        if (annotations.containsKey(level)) {
          violations.add(new Violation(
              JobMetadata.describe(job),
              FieldPath.join(podSet.path(), MetadataKeys.annotation(level)),
              "\"" + Strings.nullToEmpty(annotations.get(level))
                  + "\" in an elastic job; expected "
                  + TopologyAnnotations.UNCONSTRAINED + " or no topology"));
        }
      }
    }
    return violations.build();
  }
}
