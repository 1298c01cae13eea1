package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.internal.support.SingletonStyle;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Counts the devices that pods claim (Dynamic Resource Allocation) as resources of quotas.
 *
 * <p>A pod claims devices with ResourceClaimTemplates, or with requests for extended resources that
 * a DeviceClass defines. Devices are summed by class; {@link DeviceClassMapping}s map classes to
 * resources. A mapping may count counters that devices consume instead of the devices; then the
 * ResourceSlices say which devices match and how much they consume. Claims that cannot be counted
 * are violations, and jobs with violations are not admitted: classes without a mapping, all devices
 * of a class, choices among alternatives, and claims that pods share.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * ResourceClaims claims = ResourceClaims.builder()
 *     .addMappings(DeviceClassMapping.of("whole-gpus", "gpu.nvidia.com"))
 *     .addAllClaimTemplates(templates)
 *     .build();
 * JobWorkloads workloads = JobWorkloads.builder().resourceClaims(claims).build();
 * }</pre>
 *
 * <p>Rules: D-1, D-2, D-3, D-4.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class ResourceClaims {
  /** The API group of claims and classes. */
  public static final String GROUP = "resource.k8s.io";

  /** The kind ResourceClaimTemplate. */
  public static final String RESOURCE_CLAIM_TEMPLATE = "ResourceClaimTemplate";

  /** The kind DeviceClass. */
  public static final String DEVICE_CLASS = "DeviceClass";

  /** The kind ResourceSlice. */
  public static final String RESOURCE_SLICE = "ResourceSlice";

  ResourceClaims() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutableResourceClaims.builder();
  }

  /** {@return an instance without templates, classes and mappings} */
  public static ResourceClaims none() {
    return ImmutableResourceClaims.of();
  }

  /** {@return the version of Kueue that counts the devices; by default the latest} */
  @Value.Default
  public KueueVersion kueueVersion() {
    return KueueVersion.defaultVersion();
  }

  /**
   * {@return the mappings from classes of devices to resources; if several name a class, the first
   * applies, and the counters of all}
   */
  public abstract List<DeviceClassMapping> mappings();

  /**
   * {@return the ResourceClaimTemplates, of v1beta1 or later; if several have the same name, the
   * last applies}
   */
  public abstract List<GenericKubernetesResource> claimTemplates();

  /**
   * {@return the DeviceClasses: those that define an extended resource, and those whose devices are
   * counted by counters}
   */
  public abstract List<GenericKubernetesResource> deviceClasses();

  /** {@return the ResourceSlices, of v1beta1 or later; they matter for counters only} */
  public abstract List<GenericKubernetesResource> resourceSlices();

  /** {@return the charges for the devices of a pod of {@code template}} */
  public DeviceCharges charges(PodTemplates.Located template) {
    return new ChargeReading(this, template).read();
  }

  /** {@return the template of that name, empty if it is unknown} */
  Optional<GenericKubernetesResource> template(String namespace, String name) {
    return Optional.ofNullable(templatesByName().get(namespace + "/" + name));
  }

  @Value.Derived
  ImmutableMap<String, GenericKubernetesResource> templatesByName() {
    Map<String, GenericKubernetesResource> byName = new HashMap<>();
    for (GenericKubernetesResource template : claimTemplates()) {
      String namespace = ExtendedResources.metadata(template).getNamespace();
      byName.put(
          (namespace == null ? "default" : namespace) + "/" + ExtendedResources.name(template),
          template);
    }
    return ImmutableMap.copyOf(byName);
  }

  /** {@return the conditions on devices of a class, empty if the class is unknown} */
  Optional<ImmutableList<String>> classSelectors(String name) {
    return deviceClasses().stream()
        .filter(deviceClass -> ExtendedResources.name(deviceClass).equals(name))
        .reduce((first, second) -> second)
        .map(deviceClass -> DeviceRequest.selectors(deviceClass.get("spec", "selectors")));
  }

  @Value.Lazy
  DeviceInventory inventory() {
    return DeviceInventory.of(resourceSlices());
  }

  @Value.Derived
  ImmutableListMultimap<String, DeviceClassMapping> byClass() {
    ImmutableListMultimap.Builder<String, DeviceClassMapping> byClass =
        ImmutableListMultimap.builder();
    mappings()
        .forEach(mapping -> mapping.deviceClassNames().forEach(name -> byClass.put(name, mapping)));
    return byClass.build();
  }

  @Value.Derived
  ExtendedResources extendedResources() {
    return ExtendedResources.of(deviceClasses());
  }

  /** Builds {@link ResourceClaims}; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the version of Kueue that counts the devices. */
    @CanIgnoreReturnValue
    public abstract Builder kueueVersion(KueueVersion version);

    /** Adds mappings. */
    @CanIgnoreReturnValue
    public abstract Builder addMappings(DeviceClassMapping... mappings);

    /** Adds mappings. */
    @CanIgnoreReturnValue
    public abstract Builder addAllMappings(Iterable<? extends DeviceClassMapping> mappings);

    /** Adds ResourceClaimTemplates. */
    @CanIgnoreReturnValue
    public abstract Builder addClaimTemplates(GenericKubernetesResource... templates);

    /** Adds ResourceClaimTemplates. */
    @CanIgnoreReturnValue
    public abstract Builder addAllClaimTemplates(
        Iterable<? extends GenericKubernetesResource> templates);

    /** Adds DeviceClasses. */
    @CanIgnoreReturnValue
    public abstract Builder addDeviceClasses(GenericKubernetesResource... classes);

    /** Adds DeviceClasses. */
    @CanIgnoreReturnValue
    public abstract Builder addAllDeviceClasses(
        Iterable<? extends GenericKubernetesResource> classes);

    /** Adds ResourceSlices. */
    @CanIgnoreReturnValue
    public abstract Builder addResourceSlices(GenericKubernetesResource... slices);

    /** Adds ResourceSlices. */
    @CanIgnoreReturnValue
    public abstract Builder addAllResourceSlices(
        Iterable<? extends GenericKubernetesResource> slices);

    /** {@return the claims} */
    public abstract ResourceClaims build();
  }
}
