package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Determines the priority of jobs.
 *
 * <p>Rules: M-24.
 */
record JobPriorities(
    ImmutableMap<String, WorkloadPriorityClass> workloadPriorityClasses,
    ImmutableMap<String, PriorityClass> priorityClasses) {
  private static final String DEFAULT_CLASS = "default";

  /** The classes that every API server creates. */
  private static final ImmutableMap<String, PriorityClass> SYSTEM_CLASSES = byName(ImmutableList.of(
      systemClass("system-cluster-critical", 2_000_000_000),
      systemClass("system-node-critical", 2_000_001_000)));

  /**
   * A priority with its class: a WorkloadPriorityClass, whose value may change later, or a pod
   * priority class.
   */
  record Priority(
      int value, Optional<String> workloadPriorityClass, Optional<String> podPriorityClass) {
    private static final Priority NONE = new Priority(0, Optional.empty(), Optional.empty());

    private static Priority of(WorkloadPriorityClass named) {
      return new Priority(named.value(), Optional.of(named.name()), Optional.empty());
    }

    private static Priority of(PriorityClass named) {
      return new Priority(
          JobPriorities.value(named),
          Optional.empty(),
          Optional.of(named.getMetadata().getName()));
    }
  }

  static JobPriorities of(
      Iterable<WorkloadPriorityClass> workloadPriorityClasses,
      Iterable<PriorityClass> priorityClasses) {
    return new JobPriorities(
        Maps.uniqueIndex(workloadPriorityClasses, WorkloadPriorityClass::name),
        ImmutableMap.<String, PriorityClass>builder()
            .putAll(SYSTEM_CLASSES)
            .putAll(byName(priorityClasses))
            .buildKeepingLast());
  }

  private static ImmutableMap<String, PriorityClass> byName(Iterable<PriorityClass> classes) {
    return Maps.uniqueIndex(classes, named -> named.getMetadata().getName());
  }

  private static PriorityClass systemClass(String name, int value) {
    return new PriorityClassBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withValue(value)
        .build();
  }

  /** {@return the priority; 0 and a violation if the job names an unknown class} */
  <J extends HasMetadata> Priority of(
      JobKind<J> kind,
      J job,
      List<JobPodSet> podSets,
      ImmutableList.Builder<Violation> violations) {
    String label = Strings.nullToEmpty(JobMetadata.labels(job).get(MetadataKeys.PRIORITY_CLASS));
    if (!label.isEmpty()) {
      Optional<WorkloadPriorityClass> named =
          Optional.ofNullable(workloadPriorityClasses.get(label));
      if (named.isEmpty()) {
        String field = MetadataKeys.label(MetadataKeys.PRIORITY_CLASS);
        violations.add(missing(job, field, "WorkloadPriorityClass", label));
      }
      return named.map(Priority::of).orElse(Priority.NONE);
    }
    WorkloadPriorityClass byDefault = workloadPriorityClasses.get(DEFAULT_CLASS);
    if (byDefault != null) {
      return Priority.of(byDefault);
    }
    Optional<Named> podClass =
        kind.priorityClassName(job).map(name -> new Named("spec", name)).or(() -> named(podSets));
    if (podClass.isEmpty()) {
      return globalDefault().map(Priority::of).orElse(Priority.NONE);
    }
    PriorityClass known = priorityClasses.get(podClass.get().name());
    if (known == null) {
      violations.add(
          missing(job, podClass.get().field(), "PriorityClass", podClass.get().name()));
      return Priority.NONE;
    }
    return Priority.of(known);
  }

  private static Optional<Named> named(List<JobPodSet> podSets) {
    return podSets.stream()
        .filter(podSet -> podSet.template().getSpec() != null
            && !Strings.isNullOrEmpty(podSet.template().getSpec().getPriorityClassName()))
        .findFirst()
        .map(podSet -> new Named(
            FieldPath.join(podSet.path(), "spec.priorityClassName"),
            podSet.template().getSpec().getPriorityClassName()));
  }

  private Optional<PriorityClass> globalDefault() {
    return priorityClasses.values().stream()
        .filter(named -> Boolean.TRUE.equals(named.getGlobalDefault()))
        .min(Comparator.comparingInt(JobPriorities::value)
            .thenComparing(named -> named.getMetadata().getName()));
  }

  private static int value(PriorityClass named) {
    return Objects.requireNonNullElse(named.getValue(), 0);
  }

  private static Violation missing(HasMetadata job, String field, String kind, String name) {
    return new Violation(
        JobMetadata.describe(job),
        field,
        "there is no " + kind + " \"" + name + "\"; create it, or name one that exists");
  }

  /** The name of a class and the field that contains it. */
  private record Named(String field, String name) {}
}
