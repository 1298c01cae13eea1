package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.yaml.BooleanText;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The annotations by which a batch Job accepts fewer pods than it requests.
 *
 * <p>Rules: M-26, E-9.
 */
final class BatchJobAnnotations {
  private BatchJobAnnotations() {}

  /** {@return the minimum number of pods, empty if it is not an integer} */
  static OptionalInt minParallelism(Job job) {
    String text = annotation(job, MetadataKeys.JOB_MIN_PARALLELISM);
    Integer value = text == null ? null : Ints.tryParse(text);
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  static boolean completionsFollowParallelism(Job job) {
    String text = annotation(job, MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM);
    return text != null && BooleanText.parse(text).orElse(false);
  }

  /** {@return the violations in the annotations of a job of {@code podCount} pods} */
  static List<Violation> violations(Job job, int podCount) {
    ImmutableList.Builder<Violation> violations = ImmutableList.builder();
    checkMinParallelism(job, podCount, violations);
    checkCompletions(job, violations);
    return violations.build();
  }

  private static void checkMinParallelism(
      Job job, int podCount, ImmutableList.Builder<Violation> violations) {
    String text = annotation(job, MetadataKeys.JOB_MIN_PARALLELISM);
    if (text == null) {
      return;
    }
    String field = MetadataKeys.annotation(MetadataKeys.JOB_MIN_PARALLELISM);
    OptionalInt minimum = minParallelism(job);
    if (minimum.isEmpty() || minimum.getAsInt() <= 0 || minimum.getAsInt() >= podCount) {
      violations.add(violation(
          job,
          field,
          "\"" + text + "\"; expected an integer above 0 and below the number of pods, "
              + podCount));
    }
    if (ElasticJobs.isElastic(job)) {
      violations.add(violation(
          job,
          field,
          "not together with " + MetadataKeys.ELASTIC_JOB + "; remove one of the annotations"));
    }
  }

  private static void checkCompletions(Job job, ImmutableList.Builder<Violation> violations) {
    String text = annotation(job, MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM);
    if (text == null) {
      return;
    }
    String field = MetadataKeys.annotation(MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM);
    if (BooleanText.parse(text).isEmpty()) {
      violations.add(violation(job, field, "\"" + text + "\"; expected true or false"));
    }
    if (!completionsFollowParallelism(job) || job.getSpec() == null) {
      return;
    }
    if (!"Indexed".equals(job.getSpec().getCompletionMode())) {
      violations.add(violation(
          job,
          field,
          "true with completionMode " + Strings.nullToEmpty(job.getSpec().getCompletionMode())
              + "; expected completionMode Indexed"));
    }
    int parallelism = Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
    int completions = Objects.requireNonNullElse(job.getSpec().getCompletions(), 1);
    if (parallelism != completions) {
      violations.add(violation(
          job,
          "spec.completions",
          completions + "; expected the parallelism of " + parallelism + ", as the annotation "
              + MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM + " is true"));
    }
  }

  private static Violation violation(Job job, String field, String problem) {
    return new Violation(JobMetadata.describe(job), field, problem);
  }

  private static @Nullable String annotation(Job job, String key) {
    return JobMetadata.annotations(job).get(key);
  }
}
