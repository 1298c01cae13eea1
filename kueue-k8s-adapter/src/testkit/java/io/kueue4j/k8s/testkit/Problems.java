package io.kueue4j.k8s.testkit;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is wrong with objects on the server, by kind, namespace and name. */
final class Problems {
  private final Map<String, String> byObject = new TreeMap<>();

  /** {@return kind, namespace if there is one, and name, such as {@code Workload team-a/train}} */
  static String key(HasMetadata object) {
    String namespace = Strings.nullToEmpty(object.getMetadata().getNamespace());
    return Joiner.on("")
        .join(
            object.getKind(),
            " ",
            namespace,
            namespace.isEmpty() ? "" : "/",
            object.getMetadata().getName());
  }

  /** Sets the problem of an object; the empty text means none. */
  void set(String key, String problem) {
    if (problem.isEmpty()) {
      byObject.remove(key);
    } else {
      byObject.put(key, problem);
    }
  }

  Optional<String> of(String key) {
    return Optional.ofNullable(byObject.get(key));
  }

  ImmutableMap<String, String> all() {
    return ImmutableMap.copyOf(byObject);
  }
}
