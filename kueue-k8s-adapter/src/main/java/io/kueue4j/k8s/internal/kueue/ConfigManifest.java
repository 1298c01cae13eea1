package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Map;

/**
 * A configuration object of the engine and the manifest that it was read from; immutable.
 *
 * @since 0.1.0
 */
public final class ConfigManifest {
  private final ConfigObject object;
  private final Manifest manifest;
  private final ImmutableMap<String, String> origins;

  ConfigManifest(ConfigObject object, Manifest manifest, Map<String, String> origins) {
    this.object = object;
    this.manifest = manifest;
    this.origins = ImmutableMap.copyOf(origins);
  }

  /** {@return the object} */
  public ConfigObject object() {
    return object;
  }

  /** {@return the manifest} */
  public Manifest manifest() {
    return manifest;
  }

  /**
   * {@return the field of the manifest that a field of the object was read from, for example
   * {@code spec.cohortName} for {@code cohort}}
   *
   * @param field the path of the field, as in {@link io.kueue4j.core.model.Violation#field()}
   */
  public String origin(String field) {
    String known = field;
    while (!known.isEmpty() && !origins.containsKey(known)) {
      int end = Math.max(known.lastIndexOf('.'), known.lastIndexOf('['));
      known = known.substring(0, Math.max(end, 0));
    }
    return FieldPath.join(origins.getOrDefault(known, ""), field.substring(known.length()));
  }
}
