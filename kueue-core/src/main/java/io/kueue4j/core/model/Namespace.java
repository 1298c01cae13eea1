package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Map;

/**
 * A namespace and its labels, which the namespace selectors of ClusterQueues are matched against.
 *
 * <p>A namespace that holds a LocalQueue exists without being applied, with the one label that the
 * API server gives every namespace, until its last LocalQueue is removed.
 *
 * @param name the name
 * @param labels the labels
 */
public record Namespace(String name, ImmutableSortedMap<String, String> labels)
    implements ConfigObject {
  /** The label that the API server sets on every namespace, its value is the name. */
  public static final String NAME_LABEL = "kubernetes.io/metadata.name";

  /** {@return the namespace {@code name} with the label of its name only} */
  public static Namespace of(String name) {
    return of(name, Map.of());
  }

  /** {@return the namespace {@code name} with {@code labels} and the label of its name} */
  public static Namespace of(String name, Map<String, String> labels) {
    ImmutableSortedMap.Builder<String, String> all = ImmutableSortedMap.naturalOrder();
    labels.forEach((key, value) -> {
      if (!key.equals(NAME_LABEL)) {
        all.put(key, value);
      }
    });
    return new Namespace(name, all.put(NAME_LABEL, name).buildOrThrow());
  }

  @Override
  public String key() {
    return "Namespace " + name;
  }
}
