package io.kueue4j.k8s.pod;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Reads pod templates: what one pod requests in effect, what else the engine must know of it, and
 * what is wrong with it.
 *
 * <p>Effective requests are those of containers, init containers, sidecars, pod level and overhead
 * together, after the defaults of LimitRanges, with limits in place of missing requests, without
 * excluded resources and after transformations. All arithmetic is exact; the result is rounded up
 * to the engine's units, and no less than 0.
 *
 * <p>Immutable and safe for several threads. Templates are never modified; the LimitRanges and
 * RuntimeClasses given to the builder are read once.
 *
 * <pre>{@code
 * PodTemplates templates = PodTemplates.builder().addExcludedResourcePrefixes("example.com/").build();
 * PodSet podSet = templates.convert(template).name("main").count(3).build();
 * }</pre>
 *
 * <p>Rules: R-1 …, M-27.
 */
@Value.Immutable
public abstract class PodTemplates {
  private static final PodTemplates PLAIN = builder().build();

  PodTemplates() {}

  /**
   * {@return a new builder; nothing is required}
   *
   * <p>Its {@code build()} throws {@link io.kueue4j.core.model.InvalidConfigurationException} if a
   * LimitRange or RuntimeClass states something that is not a quantity, and
   * {@link IllegalArgumentException} if two transformations have the same input or two
   * RuntimeClasses the same name.
   */
  public static Builder builder() {
    return ImmutablePodTemplates.builder();
  }

  /** {@return the reader for clusters without LimitRanges, RuntimeClasses and resource rules} */
  public static PodTemplates plain() {
    return PLAIN;
  }

  /** {@return the LimitRanges, by namespace, in the order in which they give defaults} */
  public abstract ImmutableListMultimap<String, LimitRange> limitRanges();

  /** {@return the RuntimeClasses, whose overhead is added to the pods that name them} */
  public abstract ImmutableList<RuntimeClass> runtimeClasses();

  /** {@return the beginnings of names of resources that are not counted at all} */
  public abstract ImmutableSet<String> excludedResourcePrefixes();

  /** {@return how requests are turned into others; at most one per input} */
  public abstract ImmutableList<ResourceTransformation> transformations();

  /**
   * {@return what one pod of {@code template} requests, by resource: milli-units of cpu, whole
   * units of everything else}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the template has no spec or
   *     something in it is not a quantity; names every such field
   */
  public ImmutableSortedMap<String, Long> requests(LocatedPodTemplate template) {
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod pod = adjusted(template, errors);
    errors.throwIfAny();
    return rules().apply(pod.total());
  }

  /**
   * {@return a builder with everything of a pod set that its template decides: requests, node
   * selector, tolerations, node affinity and shape}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of the template cannot
   *     be read, such as a quantity, an effect or an operator; names every such field
   */
  public PodSet.Builder convert(LocatedPodTemplate template) {
    FieldErrors errors = new FieldErrors(template.object());
    PodSet.Builder podSet = PodSet.builder();
    EffectivePod pod = adjusted(template, errors);
    new SchedulingConstraints(errors).read(spec(template), template.specPath(), podSet);
    errors.throwIfAny();
    ImmutableSortedMap<String, Long> own = RequestRules.NONE.apply(pod.total());
    ImmutableSortedMap<String, Long> counted = rules().apply(pod.total());
    if (!own.equals(counted)) {
      podSet.podRequests(own);
    }
    return podSet.putAllRequests(counted).shape(PodShape.of(template.template(), pod));
  }

  /**
   * {@return {@link #convert(LocatedPodTemplate)} of a template that stands alone: no LimitRange
   * holds for it}
   */
  public PodSet.Builder convert(PodTemplateSpec template) {
    return convert(LocatedPodTemplate.of(template));
  }

  /**
   * {@return why pods of {@code template} could not be created, in sentences: requests above
   * limits, LimitRanges broken; for {@link io.kueue4j.core.model.Workload#admissibilityProblems()}}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException as {@link #requests} does
   */
  public ImmutableList<String> admissibilityProblems(LocatedPodTemplate template) {
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod pod = adjusted(template, errors);
    errors.throwIfAny();
    return AdmissibilityChecks.problems(pod, template.specPath(), limits(template.namespace()));
  }

  /**
   * {@return every rule that {@code template} breaks so that no workload may be made of it: what
   * {@link #convert(LocatedPodTemplate)} throws for, no container at all, negative amounts, and the
   * resource {@code pods}, which is counted and not requested}
   */
  public ImmutableList<Violation> violations(LocatedPodTemplate template) {
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod pod = EffectivePod.read(spec(template), template.specPath(), errors);
    checkSpec(template, errors);
    checkContainers(template, errors);
    new SchedulingConstraints(errors).read(spec(template), template.specPath(), PodSet.builder());
    pod.parts().forEach(part -> {
      checkAmounts(part.resourcesPath() + ".requests", part.requests(), errors);
      checkAmounts(part.resourcesPath() + ".limits", part.limits(), errors);
    });
    return errors.found();
  }

  /**
   * {@return the RuntimeClass that {@code template} names if it is not known: its overhead is then
   * missing in the requests, as upstream, unless the template states the overhead itself}
   */
  public Optional<String> unknownRuntimeClass(PodTemplateSpec template) {
    return Optional.ofNullable(template.getSpec())
        .filter(spec -> spec.getOverhead() == null || spec.getOverhead().isEmpty())
        .flatMap(spec -> Optional.ofNullable(Strings.emptyToNull(spec.getRuntimeClassName())))
        .filter(name -> !overheads().containsKey(name));
  }

  @Value.Derived
  RequestRules rules() {
    return RequestRules.of(excludedResourcePrefixes(), transformations());
  }

  @Value.Derived
  ImmutableMap<String, LimitRangeSummary> limitsByNamespace() {
    ImmutableMap.Builder<String, LimitRangeSummary> summaries = ImmutableMap.builder();
    limitRanges()
        .asMap()
        .forEach((namespace, ranges) ->
            summaries.put(namespace, LimitRangeSummary.of(namespace, ranges)));
    return summaries.buildOrThrow();
  }

  @Value.Derived
  ImmutableMap<String, ResourceList> overheads() {
    ImmutableMap.Builder<String, ResourceList> overheads = ImmutableMap.builder();
    for (RuntimeClass runtimeClass : runtimeClasses()) {
      String name = runtimeClass.getMetadata().getName();
      FieldErrors errors = new FieldErrors("RuntimeClass " + name);
      overheads.put(
          name,
          runtimeClass.getOverhead() == null
              ? ResourceList.EMPTY
              : errors.quantities(
                  "overhead.podFixed", runtimeClass.getOverhead().getPodFixed()));
      errors.throwIfAny();
    }
    return overheads.buildOrThrow();
  }

  /** Rule R-1, in its order. A RuntimeClass that is not known adds nothing, as upstream. */
  private EffectivePod adjusted(LocatedPodTemplate template, FieldErrors errors) {
    checkSpec(template, errors);
    PodSpec spec = spec(template);
    EffectivePod pod = EffectivePod.read(spec, template.specPath(), errors);
    if (pod.overhead().isEmpty()) {
      pod = pod.withOverhead(overheads()
          .getOrDefault(Strings.nullToEmpty(spec.getRuntimeClassName()), ResourceList.EMPTY));
    }
    return pod.withDefaults(limits(template.namespace())).withLimitsAsRequests();
  }

  private LimitRangeSummary limits(String namespace) {
    return limitsByNamespace().getOrDefault(namespace, LimitRangeSummary.NONE);
  }

  private static PodSpec spec(LocatedPodTemplate template) {
    return Objects.requireNonNullElseGet(template.template().getSpec(), PodSpec::new);
  }

  private static void checkSpec(LocatedPodTemplate template, FieldErrors errors) {
    if (template.template().getSpec() == null) {
      errors.add(template.specPath(), "missing; expected the spec of a pod");
    }
  }

  private static void checkContainers(LocatedPodTemplate template, FieldErrors errors) {
    PodSpec spec = template.template().getSpec();
    if (spec != null && (spec.getContainers() == null || spec.getContainers().isEmpty())) {
      errors.add(template.specPath() + ".containers", "empty; expected at least one container");
    }
  }

  private static void checkAmounts(String path, ResourceList given, FieldErrors errors) {
    for (Map.Entry<String, BigDecimal> entry : given.amounts().entrySet()) {
      String field = path + "[" + entry.getKey() + "]";
      if (entry.getKey().equals(ResourceNames.PODS)) {
        errors.add(field, "reserved: the number of pods is counted, not requested; remove it");
      }
      if (entry.getValue().signum() < 0) {
        errors.add(field, entry.getValue().toPlainString() + " is negative; expected 0 or more");
      }
    }
  }

  /** Builds {@link PodTemplates}; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Adds a LimitRange of a namespace. */
    @CanIgnoreReturnValue
    public abstract Builder putLimitRanges(String namespace, LimitRange limitRange);

    /** Adds LimitRanges of a namespace. */
    @CanIgnoreReturnValue
    public abstract Builder putAllLimitRanges(
        String namespace, Iterable<? extends LimitRange> limitRanges);

    /** Adds RuntimeClasses. */
    @CanIgnoreReturnValue
    public abstract Builder addRuntimeClasses(RuntimeClass... runtimeClasses);

    /** Adds RuntimeClasses. */
    @CanIgnoreReturnValue
    public abstract Builder addAllRuntimeClasses(Iterable<? extends RuntimeClass> runtimeClasses);

    /** Adds beginnings of names of resources that are not counted. */
    @CanIgnoreReturnValue
    public abstract Builder addExcludedResourcePrefixes(String... prefixes);

    /** Adds beginnings of names of resources that are not counted. */
    @CanIgnoreReturnValue
    public abstract Builder addAllExcludedResourcePrefixes(Iterable<String> prefixes);

    /** Adds transformations. */
    @CanIgnoreReturnValue
    public abstract Builder addTransformations(ResourceTransformation... transformations);

    /** Adds transformations. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTransformations(
        Iterable<? extends ResourceTransformation> transformations);

    /** {@return the reader} */
    public abstract PodTemplates build();
  }
}
