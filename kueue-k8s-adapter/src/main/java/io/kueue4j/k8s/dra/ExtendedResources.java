package io.kueue4j.k8s.dra;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which DeviceClass stands behind an extended resource. */
final class ExtendedResources {
  private final ImmutableMap<String, String> classes;

  private ExtendedResources(Map<String, String> classes) {
    this.classes = ImmutableMap.copyOf(classes);
  }

  /** Of several classes for one resource the newest counts, of those the first by name. */
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
    // Times of the API server are all written alike, so they are in order as texts are.
    int byAge = created(b).compareTo(created(a));
    return byAge != 0 ? byAge < 0 : name(a).compareTo(name(b)) < 0;
  }

  /** {@return the class of the devices that a request for the resource is given, by resource} */
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
