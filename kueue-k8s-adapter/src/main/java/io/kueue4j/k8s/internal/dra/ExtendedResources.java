package io.kueue4j.k8s.internal.dra;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The DeviceClass of each extended resource that has one. */
final class ExtendedResources {
  private final ImmutableMap<String, String> classes;

  private ExtendedResources(Map<String, String> classes) {
    this.classes = ImmutableMap.copyOf(classes);
  }

  /**
   * If several classes define a resource, the newest is used; of classes of the same age, the first
   * by name.
   */
  static ExtendedResources of(List<GenericKubernetesResource> deviceClasses) {
    Map<String, GenericKubernetesResource> chosen = new HashMap<>();
    for (GenericKubernetesResource deviceClass : deviceClasses) {
      if (deviceClass.get("spec", "extendedResourceName") instanceof String resource
          && !resource.isEmpty()) {
        chosen.merge(resource, deviceClass, (a, b) -> isBefore(b, a) ? b : a);
      }
    }
    Map<String, String> classes = new HashMap<>();
    chosen.forEach((resource, deviceClass) -> classes.put(resource, name(deviceClass)));
    return new ExtendedResources(classes);
  }

  private static boolean isBefore(GenericKubernetesResource a, GenericKubernetesResource b) {
    // The API server writes all times in the same format, so texts sort like times.
    int byAge = created(b).compareTo(created(a));
    return byAge != 0 ? byAge < 0 : name(a).compareTo(name(b)) < 0;
  }

  /** {@return the DeviceClass that serves requests for a resource, by resource} */
  ImmutableMap<String, String> classes() {
    return classes;
  }

  private static String created(GenericKubernetesResource object) {
    return Strings.nullToEmpty(metadata(object).getCreationTimestamp());
  }

  static String name(GenericKubernetesResource object) {
    return Strings.nullToEmpty(metadata(object).getName());
  }

  static ObjectMeta metadata(GenericKubernetesResource object) {
    return Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
  }
}
