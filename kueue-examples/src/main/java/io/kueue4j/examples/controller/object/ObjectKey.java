package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import com.google.common.collect.ComparisonChain;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;

/**
 * The identity of an object in a cluster, independent of the version of its kind.
 *
 * @param apiGroup the API group without version, empty for the core group
 * @param kind the kind
 * @param namespace the namespace, empty if it has none
 * @param name the name
 */
public record ObjectKey(String apiGroup, String kind, String namespace, String name)
    implements Comparable<ObjectKey> {
  /** The kind of the Workloads of Kueue. */
  public static final String WORKLOAD = "Workload";

  public static ObjectKey of(HasMetadata object) {
    return new ObjectKey(
        group(object.getApiVersion()),
        object.getKind(),
        Strings.nullToEmpty(object.getMetadata().getNamespace()),
        Strings.nullToEmpty(object.getMetadata().getName()));
  }

  /** {@return the key of the owner of an object in a namespace} */
  public static ObjectKey of(String namespace, OwnerReference owner) {
    return new ObjectKey(
        group(Strings.nullToEmpty(owner.getApiVersion())),
        Strings.nullToEmpty(owner.getKind()),
        namespace,
        Strings.nullToEmpty(owner.getName()));
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  public boolean is(String group, String wantedKind) {
    return apiGroup.equals(group) && kind.equals(wantedKind);
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ComparisonChain.start()
        .compare(apiGroup, other.apiGroup)
        .compare(kind, other.kind)
        .compare(namespace, other.namespace)
        .compare(name, other.name)
        .result();
  }

  /** {@return a text such as {@code Job team-a/train}} */
  @Override
  public String toString() {
    return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
