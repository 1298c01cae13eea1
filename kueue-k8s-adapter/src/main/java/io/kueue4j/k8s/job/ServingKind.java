package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Range;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A kind of object that cannot be suspended: its controller creates pods at once. Therefore the
 * templates get a scheduling gate, with which the pods wait, and each pod is started separately.
 * Such an object is a service and never finishes. Rules: J-11, J-12.
 */
abstract class ServingKind extends GenericJobKind {
  /** Never written; the gate in the templates determines whether pods wait. */
  private static final RawPath NO_SUSPEND = RawPath.of("spec.suspend");

  static final RawPath REPLICAS = RawPath.of("spec.replicas");

  private static final RawPath READY_REPLICAS = RawPath.of("status.readyReplicas");

  private final String framework;

  ServingKind(String apiGroup, String kind, String framework) {
    super(apiGroup, kind, NO_SUSPEND);
    this.framework = framework;
  }

  /**
   * {@return annotations and labels for the pods of a pod set beyond queue, priority and framework}
   */
  ImmutableMap<String, String> marks(GenericKubernetesResource job, JobPodSet podSet) {
    return ImmutableMap.of();
  }

  /** {@return the name of the group of the pods of a job, or part of a job, with that name} */
  final String groupName(GenericKubernetesResource job, String name) {
    return workloadName(job, name, Strings.nullToEmpty(JobMetadata.metadata(job).getUid()));
  }

  /** {@return the number of replicas} */
  static int replicas(JobFields fields) {
    return fields.count(REPLICAS).orElse(1);
  }

  /** {@return a list of {@code count} parts, which are created on access} */
  static <T> List<T> numbered(int count, IntFunction<T> part) {
    return Lists.transform(
        ContiguousSet.create(Range.closedOpen(0, count), DiscreteDomain.integers())
            .asList(),
        part::apply);
  }

  @Override
  public final boolean startsByPods() {
    return true;
  }

  @Override
  public final boolean isSuspended(GenericKubernetesResource job) {
    return podSets(job).stream()
        .allMatch(podSet -> PodGates.isGated(podSet.template().getSpec()));
  }

  @Override
  public final GenericKubernetesResource withSuspend(
      GenericKubernetesResource job, boolean suspend) {
    ImmutableList.Builder<JobPodSet> edited = ImmutableList.builder();
    for (JobPodSet podSet : podSets(job)) {
      edited.add(podSet.withTemplate(
          suspend
              ? marked(job, podSet)
              : new PodTemplateSpecBuilder(podSet.template())
                  .withSpec(PodGates.without(spec(podSet.template())))
                  .build()));
    }
    return withPodSets(job, edited.build());
  }

  @Override
  public Optional<JobConversion.NotManaged> notManaged(GenericKubernetesResource job) {
    for (JobPodSet podSet : malformed(job).isEmpty() ? podSets(job) : List.<JobPodSet>of()) {
      ObjectMeta metadata = podSet.template().getMetadata();
      String parent = metadata == null || metadata.getAnnotations() == null
          ? null
          : metadata.getAnnotations().get(MetadataKeys.POD_SUSPENDING_PARENT);
      if (parent != null && !parent.equals(framework)) {
        return Optional.of(new JobConversion.NotManaged(
            JobConversion.Reason.MANAGED_BY_PARENT,
            JobMetadata.describe(job) + " belongs to a " + parent + ", which is admitted as a"
                + " whole"));
      }
    }
    return replicas(new JobFields(job)) == 0
        ? Optional.of(new JobConversion.NotManaged(
            JobConversion.Reason.ON_HOLD,
            JobMetadata.describe(job) + " has 0 replicas; it needs no quota"))
        : Optional.empty();
  }

  @Override
  public final Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    return Optional.empty();
  }

  @Override
  public final boolean isActive(GenericKubernetesResource job) {
    return new JobFields(job).count(READY_REPLICAS).orElse(0) > 0;
  }

  @Override
  public final boolean podsReady(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    return fields.count(READY_REPLICAS).orElse(0) >= replicas(fields);
  }

  private PodTemplateSpec marked(GenericKubernetesResource job, JobPodSet podSet) {
    PodTemplateSpec template = podSet.template();
    ObjectMetaBuilder metadata = template.getMetadata() == null
        ? new ObjectMetaBuilder()
        : new ObjectMetaBuilder(template.getMetadata());
    metadata
        .addToLabels(MetadataKeys.MANAGED, "true")
        .addToAnnotations(MetadataKeys.POD_SUSPENDING_PARENT, framework)
        .addToAnnotations(marks(job, podSet));
    String queue = JobMetadata.queueName(job, true);
    if (!queue.isEmpty()) {
      metadata.addToLabels(MetadataKeys.QUEUE_NAME, queue);
    }
    String priority = JobMetadata.labels(job).get(MetadataKeys.PRIORITY_CLASS);
    if (priority != null) {
      metadata.addToLabels(MetadataKeys.PRIORITY_CLASS, priority);
    }
    return new PodTemplateSpecBuilder(template)
        .withMetadata(metadata.build())
        .withSpec(PodGates.with(spec(template)))
        .build();
  }

  private static PodSpec spec(PodTemplateSpec template) {
    return Objects.requireNonNullElseGet(template.getSpec(), PodSpec::new);
  }
}
