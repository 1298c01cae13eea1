package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Jobs of {@code batch/v1}: one pod set {@code main}. Rules: R-6. */
final class BatchJobKind implements JobKind<Job> {
  /** Label on the pods of an indexed Job: the index of the pod. */
  static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  private static final String POD_SET = "main";
  private static final ImmutableSet<String> MANAGED_LABELS = ImmutableSet.of(
      "job-name",
      "controller-uid",
      "batch.kubernetes.io/job-name",
      "batch.kubernetes.io/controller-uid");

  private final boolean reclaimsOfCount;

  BatchJobKind() {
    this(Settings.defaults());
  }

  private BatchJobKind(Settings settings) {
    reclaimsOfCount = settings.includes(KueueFix.RECLAIMABLE_PODS_OF_COUNT);
  }

  @Override
  public JobKind<Job> forSettings(Settings settings) {
    return new BatchJobKind(settings);
  }

  @Override
  public Class<Job> type() {
    return Job.class;
  }

  @Override
  public String apiGroup() {
    return "batch";
  }

  @Override
  public String kind() {
    return "Job";
  }

  @Override
  public boolean isSuspended(Job job) {
    boolean stopping = "true".equals(JobMetadata.annotations(job).get(MetadataKeys.STOPPING));
    return Boolean.TRUE.equals(spec(job).getSuspend()) && !stopping;
  }

  /** Ends a stop that Kueue began: until then the job would not count as suspended. */
  @Override
  public Job withSuspend(Job job, boolean suspend) {
    return job.toBuilder()
        .editOrNewMetadata()
        .removeFromAnnotations(MetadataKeys.STOPPING)
        .endMetadata()
        .editOrNewSpec()
        .withSuspend(suspend)
        .endSpec()
        .build();
  }

  @Override
  public List<JobPodSet> podSets(Job job) {
    JobSpec spec = spec(job);
    OptionalInt minCount = BatchJobAnnotations.minParallelism(job);
    Optional<JobPodSet.Counts> counts = minCount.isPresent()
        ? Optional.of(
            new JobPodSet.Counts(optional(spec.getParallelism()), optional(spec.getCompletions())))
        : Optional.empty();
    PodTemplateSpec template =
        Objects.requireNonNullElseGet(spec.getTemplate(), PodTemplateSpec::new);
    return ImmutableList.of(new JobPodSet(
        POD_SET,
        "spec.template",
        template,
        podCount(spec),
        minCount,
        counts,
        Optional.of(JobPodSet.Index.of(COMPLETION_INDEX))));
  }

  @Override
  public Job withPodSets(Job job, List<JobPodSet> podSets) {
    JobPodSet podSet = podSets.get(0);
    JobSpecBuilder spec = spec(job).toBuilder().withTemplate(podSet.template());
    podSet
        .counts()
        .ifPresent(counts -> spec.withParallelism(boxed(counts.parallelism()))
            .withCompletions(boxed(counts.completions())));
    return job.toBuilder().withSpec(spec.build()).build();
  }

  @Override
  public JobPodSet resize(Job job, JobPodSet podSet, int count) {
    OptionalInt completions = BatchJobAnnotations.completionsFollowParallelism(job)
        ? OptionalInt.of(count)
        : optional(spec(job).getCompletions());
    return podSet.withCounts(new JobPodSet.Counts(OptionalInt.of(count), completions));
  }

  @Override
  public Optional<JobKind.Outcome> outcome(Job job) {
    return Elements.<JobCondition>of(status(job).getConditions()).stream()
        .filter(condition -> "True".equals(condition.getStatus()))
        .filter(condition ->
            "Complete".equals(condition.getType()) || "Failed".equals(condition.getType()))
        .findFirst()
        .map(condition -> new JobKind.Outcome(
            "Complete".equals(condition.getType()), Strings.nullToEmpty(condition.getMessage())));
  }

  @Override
  public boolean isActive(Job job) {
    return orZero(status(job).getActive()) > 0;
  }

  @Override
  public boolean podsReady(Job job) {
    JobStatus status = status(job);
    int uncounted = status.getUncountedTerminatedPods() == null
            || status.getUncountedTerminatedPods().getSucceeded() == null
        ? 0
        : status.getUncountedTerminatedPods().getSucceeded().size();
    return (long) orZero(status.getSucceeded()) + orZero(status.getReady()) + uncounted
        >= podCount(spec(job));
  }

  @Override
  public ImmutableSortedMap<String, Integer> reclaimablePods(Job job) {
    JobSpec spec = spec(job);
    JobStatus status = status(job);
    int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
    int completions = Objects.requireNonNullElse(spec.getCompletions(), parallelism);
    int terminal = "Indexed".equals(spec.getCompletionMode())
        ? IndexRanges.countBelow(
            completions, status.getCompletedIndexes(), status.getFailedIndexes())
        : orZero(status.getSucceeded());
    int remaining = Math.max(completions - terminal, 0);
    int pods = reclaimsOfCount ? podCount(spec) : parallelism;
    return pods > 1 && terminal > 0 && remaining < pods
        ? ImmutableSortedMap.of(POD_SET, pods - remaining)
        : ImmutableSortedMap.of();
  }

  @Override
  public boolean supportsElasticJobs() {
    return true;
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public List<Violation> violations(Job job) {
    CountChecks checks = new CountChecks(JobMetadata.describe(job));
    int length = Strings.nullToEmpty(JobMetadata.metadata(job).getName()).length();
    if (length > DnsNames.MAX_LABEL) {
      // The API server puts the name into a label of the pods.
      checks.add(
          "metadata.name",
          length + " characters; expected at most " + DnsNames.MAX_LABEL + " in the name of a Job");
    }
    checks.addJob("spec", spec(job));
    return ImmutableList.<Violation>builder()
        .addAll(checks.violations())
        .addAll(BatchJobAnnotations.violations(job, podCount(spec(job))))
        .build();
  }

  @Override
  public ImmutableSet<String> managedLabels() {
    return MANAGED_LABELS;
  }

  /** {@return the number of concurrent pods of a job, or of one of several jobs} */
  static int podCount(@Nullable JobSpec spec) {
    if (spec == null) {
      return 1;
    }
    int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
    return Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
  }

  private static JobSpec spec(Job job) {
    return Objects.requireNonNullElseGet(job.getSpec(), JobSpec::new);
  }

  private static JobStatus status(Job job) {
    return Objects.requireNonNullElseGet(job.getStatus(), JobStatus::new);
  }

  private static int orZero(@Nullable Integer value) {
    return Objects.requireNonNullElse(value, 0);
  }

  private static OptionalInt optional(@Nullable Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static @Nullable Integer boxed(OptionalInt value) {
    return value.isPresent() ? (Integer) value.getAsInt() : null;
  }
}
