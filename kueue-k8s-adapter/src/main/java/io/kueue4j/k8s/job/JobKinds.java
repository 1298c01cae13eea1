package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of jobs that are known. Immutable and safe for several threads.
 *
 * <pre>{@code
 * JobKinds kinds = JobKinds.standard().and(new TrainingJobKind());
 * }</pre>
 */
public final class JobKinds {
  private static final JobKinds STANDARD = of(List.of(new BatchJobKind(), new JobSetKind()));

  private final ImmutableMap<GroupKind, JobKind<?>> kinds;

  private JobKinds(ImmutableMap<GroupKind, JobKind<?>> kinds) {
    this.kinds = kinds;
  }

  /** {@return the kinds of this library: {@code batch/v1 Job} and {@link JobSet}} */
  public static JobKinds standard() {
    return STANDARD;
  }

  /**
   * {@return these kinds}
   *
   * @throws IllegalArgumentException if two have the same group and kind
   */
  public static JobKinds of(Iterable<? extends JobKind<?>> kinds) {
    ImmutableMap.Builder<GroupKind, JobKind<?>> all = ImmutableMap.builder();
    kinds.forEach(kind -> all.put(new GroupKind(kind.apiGroup(), kind.kind()), kind));
    return new JobKinds(all.buildOrThrow());
  }

  /**
   * {@return these and one more}
   *
   * @throws IllegalArgumentException if there is one of its group and kind already
   */
  public JobKinds and(JobKind<?> kind) {
    return of(
        ImmutableList.<JobKind<?>>builder().addAll(kinds.values()).add(kind).build());
  }

  /** {@return the kind of {@code job}, absent if it is not known} */
  public <J extends HasMetadata> Optional<JobKind<J>> find(J job) {
    JobKind<?> kind = kinds.get(GroupKind.of(job.getApiVersion(), job.getKind()));
    if (kind == null || !kind.type().equals(job.getClass())) {
      return Optional.empty();
    }
    @SuppressWarnings("unchecked") // the kind is one of exactly the class of the job
    JobKind<J> found = (JobKind<J>) kind;
    return Optional.of(found);
  }

  /** {@return whether jobs of this API version and kind are known} */
  boolean contains(String apiVersion, String kind) {
    return kinds.containsKey(GroupKind.of(apiVersion, kind));
  }

  /** {@return the kind of {@code job}} */
  <J extends HasMetadata> JobKind<J> get(J job) {
    Optional<JobKind<J>> kind = find(job);
    checkArgument(
        kind.isPresent(),
        "%s %s as %s is no known kind of job, expected one of %s",
        job.getApiVersion(),
        job.getKind(),
        job.getClass().getName(),
        this);
    return kind.get();
  }

  /** {@return the kinds, for example {@code [batch/Job]}} */
  @Override
  public String toString() {
    return kinds.keySet().toString();
  }

  /** A kind of object in all its API versions. */
  private record GroupKind(String group, String kind) {
    static GroupKind of(String apiVersion, String kind) {
      int slash = apiVersion.indexOf('/');
      return new GroupKind(slash < 0 ? "" : apiVersion.substring(0, slash), kind);
    }

    @Override
    public String toString() {
      return group + "/" + kind;
    }
  }
}
