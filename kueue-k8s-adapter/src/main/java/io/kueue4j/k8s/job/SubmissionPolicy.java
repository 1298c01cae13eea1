package io.kueue4j.k8s.job;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.k8s.internal.yaml.Elements;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.immutables.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A rule that is checked when a job is submitted: pods with a container that uses a resource must
 * name a certain scheduler. An admission policy for pods would reject the pods only after the job
 * is started; this rule rejects the job before it is queued.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * SubmissionPolicy policy = SubmissionPolicy.builder()
 *     .resource("nvidia.com/gpu")
 *     .schedulerName("gpu-binpack-scheduler")
 *     .message("spec.schedulerName value must be `gpu-binpack-scheduler` when you use nvidia.com/gpu")
 *     .build();
 * SubmissionPolicy.check(JobKinds.all(), job, namespaceLabels, List.of(policy))
 *     .ifPresent(denial -> reject(denial.message()));
 * }</pre>
 *
 * <p>Rules: J-19.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class SubmissionPolicy {
  private static final Joiner COMMA = Joiner.on(", ");

  SubmissionPolicy() {}

  /**
   * The rejection of a job.
   *
   * @param message the messages of the policies that reject it, without duplicates, separated by
   *     commas
   * @param fields the fields of the job that name a wrong scheduler, or should name one
   */
  public record Denial(String message, List<String> fields) {
    /** Copies what it is given. */
    public Denial {
      fields = ImmutableList.copyOf(fields);
    }
  }

  /**
   * {@return a new builder; {@code resource}, {@code schedulerName} and {@code message} required}
   */
  public static Builder builder() {
    return ImmutableSubmissionPolicy.builder();
  }

  /** {@return the resource} */
  public abstract String resource();

  /** {@return the scheduler that pods with the resource must name} */
  public abstract String schedulerName();

  /** {@return the message for a job that violates the policy} */
  public abstract String message();

  /**
   * {@return whether init containers and requests count, too; by default only limits of containers
   * do}
   */
  @Value.Default
  public boolean thorough() {
    return false;
  }

  /** {@return labels that exempt a namespace that has any of them} */
  public abstract Map<String, String> exemptNamespaceLabels();

  /**
   * {@return the rejection of a job by the policies; empty if all accept it}
   *
   * @param kinds the kinds of jobs
   * @param job the job
   * @param namespaceLabels the labels of its namespace
   * @param policies the policies
   * @throws IllegalArgumentException if the kind of the job is unknown
   * @throws io.kueue4j.core.model.InvalidConfigurationException if its pod sets cannot be read
   */
  public static <J extends HasMetadata> Optional<Denial> check(
      JobKinds kinds, J job, Map<String, String> namespaceLabels, List<SubmissionPolicy> policies) {
    ImmutableSet.Builder<String> messages = ImmutableSet.builder();
    ImmutableSet.Builder<String> fields = ImmutableSet.builder();
    List<JobPodSet> podSets = kinds.get(job).podSets(job);
    for (SubmissionPolicy policy : policies) {
      for (JobPodSet podSet : podSets) {
        if (!policy.isExempt(namespaceLabels) && policy.denies(podSet)) {
          messages.add(policy.message());
          fields.add(FieldPath.join(podSet.path(), "spec.schedulerName"));
        }
      }
    }
    ImmutableSet<String> found = messages.build();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(new Denial(COMMA.join(found), fields.build().asList()));
  }

  private boolean isExempt(Map<String, String> namespaceLabels) {
    return exemptNamespaceLabels().entrySet().stream()
        .anyMatch(label -> label.getValue().equals(namespaceLabels.get(label.getKey())));
  }

  private boolean denies(JobPodSet podSet) {
    PodSpec spec = Objects.requireNonNullElseGet(podSet.template().getSpec(), PodSpec::new);
    return !schedulerName().equals(Strings.nullToEmpty(spec.getSchedulerName()))
        && containers(spec).anyMatch(this::uses);
  }

  private Stream<Container> containers(PodSpec spec) {
    Stream<Container> containers = stream(spec.getContainers());
    return thorough() ? Stream.concat(containers, stream(spec.getInitContainers())) : containers;
  }

  private boolean uses(Container container) {
    return container.getResources() != null
        && (has(container.getResources().getLimits())
            || (thorough() && has(container.getResources().getRequests())));
  }

  private boolean has(@Nullable Map<String, Quantity> amounts) {
    return amounts != null && amounts.containsKey(resource());
  }

  private static Stream<Container> stream(@Nullable List<Container> containers) {
    return Elements.<Container>of(containers).stream();
  }

  /** Builds {@link SubmissionPolicy}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the resource. */
    @CanIgnoreReturnValue
    public abstract Builder resource(String resource);

    /** Sets the scheduler that pods with the resource must name. */
    @CanIgnoreReturnValue
    public abstract Builder schedulerName(String schedulerName);

    /** Sets the message for a job that violates the policy. */
    @CanIgnoreReturnValue
    public abstract Builder message(String message);

    /** Sets whether init containers and requests count, too. */
    @CanIgnoreReturnValue
    public abstract Builder thorough(boolean thorough);

    /** Adds a label that exempts namespaces with it. */
    @CanIgnoreReturnValue
    public abstract Builder putExemptNamespaceLabels(String key, String value);

    /** Adds labels that exempt namespaces with any of them. */
    @CanIgnoreReturnValue
    public abstract Builder putAllExemptNamespaceLabels(Map<String, ? extends String> labels);

    /**
     * {@return the policy}
     *
     * @throws IllegalStateException if a required value is missing
     * @throws IllegalArgumentException if a label was added twice
     */
    public abstract SubmissionPolicy build();
  }
}
