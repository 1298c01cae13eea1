package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A namespace with its labels, which the namespace selectors of ClusterQueues match.
 *
 * <p>A namespace that was not applied exists while it has a LocalQueue, with the
 * {@linkplain #NAME_LABEL label} that the API server sets on every namespace.
 *
 * @param name the name
 * @param labels the labels
 * @since 0.1.0
 */
public record Namespace(String name, SortedMap<String, String> labels) implements ConfigObject {
  /** Copies what it is given. */
  public Namespace {
    labels = ImmutableSortedMap.copyOf(labels);
  }

  /** The label that the API server sets on every namespace; its value is the name. */
  public static final String NAME_LABEL = "kubernetes.io/metadata.name";

  /** {@return the namespace {@code name} with only {@link #NAME_LABEL}} */
  public static Namespace of(String name) {
    return of(name, Map.of());
  }

  /** {@return the namespace {@code name} with {@code labels} and {@link #NAME_LABEL}} */
  public static Namespace of(String name, Map<String, String> labels) {
    Map<String, String> all = new TreeMap<>(labels);
    all.put(NAME_LABEL, name);
    return new Namespace(name, ImmutableSortedMap.copyOf(all));
  }

  @Override
  public String key() {
    return "Namespace " + name;
  }
}
