package io.kueue4j.k8s.job;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.k8s.yaml.Elements;
import io.kueue4j.k8s.yaml.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.immutables.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A rule for jobs at their submission: pods with a container that uses a resource must name a
 * scheduler. As an admission policy for pods would refuse the pods of a job only when it is
 * started, the job is refused before it is queued.
 *
 * <p>Immutable and safe for several threads.
 *
 * <pre>{@code
 * SubmissionPolicy policy = SubmissionPolicy.builder()
 *     .resource("nvidia.com/gpu")
 *     .schedulerName("gpu-binpack-scheduler")
 *     .message("spec.schedulerName value must be `gpu-binpack-scheduler` when you use nvidia.com/gpu")
 *     .build();
 * SubmissionPolicy.check(JobKinds.all(), job, namespaceLabels, List.of(policy))
 *     .ifPresent(denial -> refuse(denial.message()));
 * }</pre>
 *
 * <p>Rules: J-19.
 */
@Value.Immutable
public abstract class SubmissionPolicy {
  private static final Joiner COMMA = Joiner.on(", ");

  SubmissionPolicy() {}

  /**
   * A job that is refused.
   *
   * @param message the messages of the policies that refuse it, each once, with commas between
   * @param fields the fields of the job that name the wrong scheduler, or none
   */
  public record Denial(String message, ImmutableList<String> fields) {}

  /**
   * {@return a new builder; {@code resource}, {@code schedulerName} and {@code message} required}
   */
  public static Builder builder() {
    return ImmutableSubmissionPolicy.builder();
  }

  /** {@return the resource} */
  public abstract String resource();

  /** {@return the scheduler that pods with it must name} */
  public abstract String schedulerName();

  /** {@return what is said of a job that does not} */
  public abstract String message();

  /**
   * {@return whether init containers and requests are looked at too; only limits of containers
   * unless set}
   */
  @Value.Default
  public boolean thorough() {
    return false;
  }

  /** {@return the labels, any of which on a namespace exempts it} */
  public abstract ImmutableMap<String, String> exemptNamespaceLabels();

  /**
   * {@return what the policies say against a job; nothing if all are content}
   *
   * @param kinds the kinds of jobs
   * @param job the job
   * @param namespaceLabels the labels of its namespace
   * @param policies the policies
   * @throws IllegalArgumentException if the job is of a kind that is not known
   * @throws io.kueue4j.core.model.InvalidConfigurationException if its pod sets cannot be read
   */
  public static <J extends HasMetadata> Optional<Denial> check(
      JobKinds kinds, J job, Map<String, String> namespaceLabels, List<SubmissionPolicy> policies) {
    ImmutableSet.Builder<String> messages = ImmutableSet.builder();
    ImmutableSet.Builder<String> fields = ImmutableSet.builder();
    ImmutableList<JobPodSet> podSets = kinds.get(job).podSets(job);
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

  /** Builds {@link SubmissionPolicy}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the resource. */
    @CanIgnoreReturnValue
    public abstract Builder resource(String resource);

    /** Sets the scheduler that pods with the resource must name. */
    @CanIgnoreReturnValue
    public abstract Builder schedulerName(String schedulerName);

    /** Sets what is said of a job that does not. */
    @CanIgnoreReturnValue
    public abstract Builder message(String message);

    /** Sets whether init containers and requests are looked at too. */
    @CanIgnoreReturnValue
    public abstract Builder thorough(boolean thorough);

    /** Adds a label that exempts the namespaces that have it. */
    @CanIgnoreReturnValue
    public abstract Builder putExemptNamespaceLabels(String key, String value);

    /** Adds labels that exempt the namespaces that have any of them. */
    @CanIgnoreReturnValue
    public abstract Builder putAllExemptNamespaceLabels(Map<String, ? extends String> labels);

    /**
     * {@return the policy}
     *
     * @throws IllegalStateException if something required is missing
     */
    public abstract SubmissionPolicy build();
  }
}
