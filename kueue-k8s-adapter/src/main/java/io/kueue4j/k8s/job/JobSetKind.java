package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.kueue4j.core.model.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** JobSets of {@code jobset.x-k8s.io}: one pod set per replicated job. */
final class JobSetKind implements JobKind<JobSet> {
  /** Label on the pods of a JobSet: the index of their job among equal jobs. */
  static final String JOB_INDEX = "jobset.sigs.k8s.io/job-index";

  /** The maximum number of pod sets of a workload in Kueue's API. */
  static final int MAX_POD_SETS = 18;

  @Override
  public Class<JobSet> type() {
    return JobSet.class;
  }

  @Override
  public String apiGroup() {
    return "jobset.x-k8s.io";
  }

  @Override
  public String kind() {
    return "JobSet";
  }

  @Override
  public boolean isSuspended(JobSet job) {
    return Boolean.TRUE.equals(job.getSpec().suspend());
  }

  @Override
  public JobSet withSuspend(JobSet job, boolean suspend) {
    return job.withSpec(job.getSpec().withSuspend(suspend));
  }

  @Override
  public List<JobPodSet> podSets(JobSet job) {
    ImmutableList.Builder<JobPodSet> podSets = ImmutableList.builder();
    List<JobSet.ReplicatedJob> jobs = job.getSpec().replicatedJobs();
    for (int i = 0; i < jobs.size(); i++) {
      podSets.add(JobPodSet.of(
              podSetName(jobs.get(i)),
              "spec.replicatedJobs[" + i + "].template.spec.template",
              podTemplate(jobs.get(i).template()),
              PodCounts.product(replicas(jobs.get(i)), podsPerJob(jobs.get(i))))
          .withIndex(JobPodSet.Index.ofSubGroups(
              BatchJobKind.COMPLETION_INDEX, JOB_INDEX, replicas(jobs.get(i)))));
    }
    return podSets.build();
  }

  @Override
  public JobSet withPodSets(JobSet job, List<JobPodSet> podSets) {
    ImmutableList.Builder<JobSet.ReplicatedJob> edited = ImmutableList.builder();
    List<JobSet.ReplicatedJob> jobs = job.getSpec().replicatedJobs();
    for (int i = 0; i < jobs.size(); i++) {
      JobTemplateSpec template = jobs.get(i).template().toBuilder()
          .editOrNewSpec()
          .withTemplate(podSets.get(i).template())
          .endSpec()
          .build();
      edited.add(jobs.get(i).withTemplate(template));
    }
    return job.withSpec(job.getSpec().withReplicatedJobs(edited.build()));
  }

  @Override
  public Optional<JobKind.Outcome> outcome(JobSet job) {
    return condition(job, "Completed")
        .map(condition -> new JobKind.Outcome(true, Strings.nullToEmpty(condition.getMessage())))
        .or(() -> condition(job, "Failed")
            .map(condition ->
                new JobKind.Outcome(false, Strings.nullToEmpty(condition.getMessage()))));
  }

  @Override
  public boolean isActive(JobSet job) {
    return statuses(job).stream().anyMatch(status -> status.active() > 0);
  }

  /**
   * {@return whether all jobs are ready} Counts jobs, not pods: a job is ready when its pods are.
   */
  @Override
  public boolean podsReady(JobSet job) {
    long wanted =
        job.getSpec().replicatedJobs().stream().mapToLong(JobSetKind::replicas).sum();
    long ready = statuses(job).stream()
        .mapToLong(status -> (long) status.ready() + status.succeeded())
        .sum();
    return wanted == ready;
  }

  /**
   * {@return the reclaimable pods, derived from the current status} A status that counts more
   * successes than there are jobs belongs to an earlier attempt and is ignored.
   */
  @Override
  public ImmutableSortedMap<String, Integer> reclaimablePods(JobSet job) {
    Map<String, Integer> reclaimable = new TreeMap<>();
    for (JobSet.ReplicatedJob replicated : job.getSpec().replicatedJobs()) {
      statuses(job).stream()
          .filter(status -> status.name().equals(replicated.name()))
          .filter(status -> status.succeeded() > 0 && status.succeeded() <= replicas(replicated))
          .findFirst()
          .ifPresent(status -> reclaimable.put(
              podSetName(replicated),
              PodCounts.product(status.succeeded(), podsPerJob(replicated))));
    }
    return ImmutableSortedMap.copyOf(reclaimable);
  }

  @Override
  public List<Violation> violations(JobSet job) {
    CountChecks checks = new CountChecks(JobMetadata.describe(job));
    List<JobSet.ReplicatedJob> jobs = job.getSpec().replicatedJobs();
    if (jobs.isEmpty() || jobs.size() > MAX_POD_SETS) {
      checks.add(
          "spec.replicatedJobs",
          jobs.size() + " entries; expected 1 to " + MAX_POD_SETS
              + ", one pod set is made of each");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < jobs.size(); i++) {
      String path = "spec.replicatedJobs[" + i + "]";
      String name = podSetName(jobs.get(i));
      if (name.isEmpty()) {
        checks.add(path + ".name", "missing; expected a name");
      } else if (!names.add(name)) {
        checks.add(path + ".name", "\"" + name + "\" is used twice");
      }
      checks.addNumber(path + ".replicas", jobs.get(i).replicas());
      checks.addJob(path + ".template.spec", jobs.get(i).template().getSpec());
      checks.addProduct(path + ".replicas", replicas(jobs.get(i)), podsPerJob(jobs.get(i)));
    }
    return checks.violations();
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public boolean groupsPodSets() {
    return true;
  }

  private static Optional<Condition> condition(JobSet job, String type) {
    return job.getStatus() == null
        ? Optional.empty()
        : job.getStatus().conditions().stream()
            .filter(condition ->
                type.equals(condition.getType()) && "True".equals(condition.getStatus()))
            .findFirst();
  }

  private static List<JobSet.ReplicatedJobStatus> statuses(JobSet job) {
    return job.getStatus() == null ? List.of() : job.getStatus().replicatedJobsStatus();
  }

  private static String podSetName(JobSet.ReplicatedJob job) {
    return Ascii.toLowerCase(job.name());
  }

  private static int replicas(JobSet.ReplicatedJob job) {
    return Objects.requireNonNullElse(job.replicas(), 1);
  }

  private static int podsPerJob(JobSet.ReplicatedJob job) {
    return BatchJobKind.podCount(job.template().getSpec());
  }

  private static PodTemplateSpec podTemplate(JobTemplateSpec job) {
    return job.getSpec() == null || job.getSpec().getTemplate() == null
        ? new PodTemplateSpec()
        : job.getSpec().getTemplate();
  }

  @Override
  public boolean acceptsAffinity() {
    return false;
  }
}
