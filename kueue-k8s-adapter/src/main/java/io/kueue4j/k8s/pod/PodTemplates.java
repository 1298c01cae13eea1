package io.kueue4j.k8s.pod;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * Reads pod templates: the effective requests of one pod, its other properties that matter to the
 * engine, and its violations.
 *
 * <p>Effective requests include containers, init containers, sidecars, pod level and overhead
 * together, after the defaults of LimitRanges, with limits in place of missing requests, without
 * excluded resources and after transformations. All arithmetic is exact; the result is rounded up
 * to the engine's units, and at least 0.
 *
 * <p>Immutable and thread-safe. Templates are never modified; the LimitRanges and RuntimeClasses
 * given to the builder are read once.
 *
 * <pre>{@code
 * PodTemplates templates = PodTemplates.builder().addExcludedResourcePrefixes("example.com/").build();
 * PodSet podSet = templates.convert(template).name("main").count(3).build();
 * }</pre>
 *
 * <p>Rules, M-27.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class PodTemplates {
  private static final PodTemplates PLAIN = builder().build();

  PodTemplates() {}

  /**
   * {@return a new builder; nothing is required}
   *
   * <p>Its {@code build()} throws {@link io.kueue4j.core.model.InvalidConfigurationException} if a
   * LimitRange or RuntimeClass contains an invalid quantity, and {@link IllegalArgumentException}
   * if two transformations have the same input or two RuntimeClasses the same name.
   */
  public static Builder builder() {
    return ImmutablePodTemplates.builder();
  }

  /** {@return the reader for clusters without LimitRanges, RuntimeClasses and resource rules} */
  public static PodTemplates plain() {
    return PLAIN;
  }

  /** {@return the version of Kueue that counts the requests; by default the latest} */
  @Value.Default
  public KueueVersion kueueVersion() {
    return KueueVersion.defaultVersion();
  }

  /** {@return the LimitRanges, by namespace, in the order in which their defaults apply} */
  abstract ImmutableListMultimap<String, LimitRange> limitRanges();

  /** {@return the RuntimeClasses, whose overhead is added to the pods that name them} */
  public abstract List<RuntimeClass> runtimeClasses();

  /** {@return the prefixes of resource names that are not counted} */
  public abstract Set<String> excludedResourcePrefixes();

  /** {@return the transformations of requests; at most one per input} */
  public abstract List<Transformation> transformations();

  /**
   * {@return the requests of one pod of {@code template}, by resource: milli-units of cpu, whole
   * units of every other resource}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the template has no spec or
   *     contains an invalid quantity; names every such field
   */
  public SortedMap<String, Long> requests(Located template) {
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod pod = adjusted(template, errors);
    errors.throwIfAny();
    return rules().apply(total(pod));
  }

  /**
   * {@return what a pod requests now, by resource: of each container what its spec requests, or
   * what it still has according to the status of the pod, if that is more}
   *
   * <p>Of a pod that is resized, the spec changes at once, and what its containers have some time
   * later. LimitRanges do not apply any more. Units as of {@link #requests(Located)}.
   *
   * <p>Kubernetes: {@code status.containerStatuses[].resources} and {@code allocatedResources}, and
   * the same of {@code initContainerStatuses[]}.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the pod has no spec or contains
   *     an invalid quantity; names every such field
   */
  public SortedMap<String, Long> liveRequests(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    Located template = new Located(
        "Pod " + metadata.getNamespace() + "/" + metadata.getName(),
        "",
        "",
        new PodTemplateSpec(metadata, pod.getSpec()));
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod live = adjusted(template, errors).withAllocated(pod.getStatus(), errors);
    errors.throwIfAny();
    return rules().apply(total(live));
  }

  /**
   * {@return a builder with everything of a pod set that follows from its template: requests, node
   * selector, tolerations, node affinity and shape}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of the template is
   *     invalid, such as a quantity, an effect or an operator; names every such field
   */
  public PodSet.Builder convert(Located template) {
    FieldErrors errors = new FieldErrors(template.object());
    PodSet.Builder podSet = PodSet.builder();
    EffectivePod pod = adjusted(template, errors);
    new SchedulingConstraints(errors).read(spec(template), template.specPath(), podSet);
    errors.throwIfAny();
    ImmutableSortedMap<String, Long> own = RequestRules.NONE.apply(total(pod));
    ImmutableSortedMap<String, Long> counted = rules().apply(total(pod));
    if (!own.equals(counted)) {
      podSet.podRequests(own);
    }
    return podSet.putAllRequests(counted).shape(PodShape.of(template.template(), pod));
  }

  /**
   * {@return {@link #convert(Located)} for a template without an object, to which no LimitRange
   * applies}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of the template is
   *     invalid, such as a quantity, an effect or an operator; names every such field
   */
  public PodSet.Builder convert(PodTemplateSpec template) {
    return convert(Located.of(template));
  }

  /**
   * {@return why pods of {@code template} could not be created, as sentences: requests above
   * limits, violated LimitRanges; for
   * {@link io.kueue4j.core.model.Workload#admissibilityProblems()}}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the template has no spec or
   *     contains an invalid quantity; names every such field
   */
  public List<String> admissibilityProblems(Located template) {
    FieldErrors errors = new FieldErrors(template.object());
    EffectivePod pod = adjusted(template, errors);
    errors.throwIfAny();
    return AdmissibilityChecks.problems(
        pod, total(pod), template.specPath(), limits(template.namespace()));
  }

  /**
   * {@return every violation of {@code template} that prevents its conversion to a workload: what
   * {@link #convert(Located)} throws for, a pod without containers, negative amounts, and requests
   * for the resource {@code pods}, which is counted and cannot be requested}
   */
  public List<Violation> violations(Located template) {
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
   * {@return the RuntimeClass that {@code template} names if it is unknown: like upstream, its
   * overhead is then missing in the requests, unless the template specifies the overhead itself}
   */
  public Optional<String> unknownRuntimeClass(PodTemplateSpec template) {
    return Optional.ofNullable(template.getSpec())
        .filter(spec -> spec.getOverhead() == null || spec.getOverhead().isEmpty())
        .flatMap(spec -> Optional.ofNullable(Strings.emptyToNull(spec.getRuntimeClassName())))
        .filter(name -> !overheads().containsKey(name));
  }

  @Value.Derived
  RequestRules rules() {
    return RequestRules.of(
        excludedResourcePrefixes(),
        transformations(),
        KueueFix.EXCLUDED_INPUTS_OF_TRANSFORMATIONS.isIn(kueueVersion()));
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

  /** Applies rule R-1, in its order. Like upstream, an unknown RuntimeClass adds nothing. */
  private EffectivePod adjusted(Located template, FieldErrors errors) {
    checkSpec(template, errors);
    PodSpec spec = spec(template);
    EffectivePod pod = EffectivePod.read(spec, template.specPath(), errors);
    if (pod.overhead().isEmpty()) {
      pod = pod.withOverhead(overheads()
          .getOrDefault(Strings.nullToEmpty(spec.getRuntimeClassName()), ResourceList.EMPTY));
    }
    if (KueueFix.LIMITS_BEFORE_LIMIT_RANGES.isIn(kueueVersion())) {
      pod = pod.withLimitsAsRequests();
    }
    // The API server gives a LimitRange with a default limit a default request. One that it has
    // not seen may lack it: then the limit becomes the request here.
    return pod.withDefaults(limits(template.namespace())).withLimitsAsRequests();
  }

  private ResourceList total(EffectivePod pod) {
    return pod.total(KueueFix.POD_REQUESTS_COVER_CONTAINERS.isIn(kueueVersion()));
  }

  private LimitRangeSummary limits(String namespace) {
    return limitsByNamespace().getOrDefault(namespace, LimitRangeSummary.NONE);
  }

  private static PodSpec spec(Located template) {
    return Objects.requireNonNullElseGet(template.template().getSpec(), PodSpec::new);
  }

  private static void checkSpec(Located template, FieldErrors errors) {
    if (template.template().getSpec() == null) {
      errors.add(template.specPath(), "missing; expected the spec of a pod");
    }
  }

  private static void checkContainers(Located template, FieldErrors errors) {
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

  /** Builds {@link PodTemplates}; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the version of Kueue that counts the requests. */
    @CanIgnoreReturnValue
    public abstract Builder kueueVersion(KueueVersion version);

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

    /** Adds prefixes of resource names that are not counted. */
    @CanIgnoreReturnValue
    public abstract Builder addExcludedResourcePrefixes(String... prefixes);

    /** Adds prefixes of resource names that are not counted. */
    @CanIgnoreReturnValue
    public abstract Builder addAllExcludedResourcePrefixes(Iterable<String> prefixes);

    /** Adds transformations. */
    @CanIgnoreReturnValue
    public abstract Builder addTransformations(Transformation... transformations);

    /** Adds transformations. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTransformations(
        Iterable<? extends Transformation> transformations);

    /** {@return the reader} */
    public abstract PodTemplates build();
  }

  /**
   * A pod template and its location, for error messages.
   *
   * @param object the kind and name of the object that contains it, for example {@code Job
   *     team-a/train}
   * @param namespace the namespace of its pods, whose LimitRanges apply; empty for none
   * @param path the field of the object that contains it, for example {@code spec.template}; empty
   *     if the object itself is the template, as for a Pod
   * @param template the template, which is not modified
   * @since 0.1.0
   */
  public record Located(String object, String namespace, String path, PodTemplateSpec template) {

    /**
     * {@return a location for a template without an object: no namespace, path {@code template}}
     */
    public static Located of(PodTemplateSpec template) {
      return new Located("PodTemplate", "", "template", template);
    }

    String specPath() {
      return FieldPath.join(path, "spec");
    }
  }

  /**
   * A rule that converts the requests for one resource to requests for others, for example GPU
   * partitions to credits.
   *
   * <p>Kueue: {@code Configuration.resources.transformations[]}. Rules: R-4.
   *
   * @param input the resource that is transformed
   * @param strategy whether the input is kept
   * @param multiplyBy another resource of the same pod; the input is multiplied by its amount
   *     before the outputs are computed, or by 1 if the pod does not request it
   * @param outputs the amount of each resulting resource per unit of the input, may be negative
   * @since 0.1.0
   */
  public record Transformation(
      String input,
      Strategy strategy,
      Optional<String> multiplyBy,
      SortedMap<String, BigDecimal> outputs) {
    /** Copies what it is given. */
    public Transformation {
      outputs = ImmutableSortedMap.copyOf(outputs);
    }

    /** Whether the input is kept. */
    public enum Strategy {
      /** The input is kept beside the outputs; Kueue's default. */
      RETAIN,
      /** The input is dropped. */
      REPLACE
    }

    /**
     * {@return a transformation that keeps {@code input} and adds {@code outputs}}
     *
     * @throws IllegalArgumentException if an output is not a quantity
     */
    public static Transformation retain(String input, Map<String, String> outputs) {
      return of(input, Strategy.RETAIN, outputs);
    }

    /**
     * {@return a transformation that replaces {@code input} by {@code outputs}, or drops it if they
     * are empty}
     *
     * @throws IllegalArgumentException if an output is not a quantity
     */
    public static Transformation replace(String input, Map<String, String> outputs) {
      return of(input, Strategy.REPLACE, outputs);
    }

    /**
     * {@return this transformation with the input multiplied by the pod's amount of
     * {@code resource}}
     */
    public Transformation multipliedBy(String resource) {
      return new Transformation(input, strategy, Optional.of(resource), outputs);
    }

    private static Transformation of(String input, Strategy strategy, Map<String, String> outputs) {
      ImmutableSortedMap.Builder<String, BigDecimal> parsed = ImmutableSortedMap.naturalOrder();
      outputs.forEach((resource, quantity) -> parsed.put(resource, output(resource, quantity)));
      return new Transformation(input, strategy, Optional.empty(), parsed.buildOrThrow());
    }

    private static BigDecimal output(String resource, String quantity) {
      try {
        return Quantity.parse(quantity);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
      }
    }
  }
}
