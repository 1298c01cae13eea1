package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A kind of objects that a cluster serves and a controller looks at.
 *
 * @param group the API group, empty for the core group
 * @param version its version
 * @param kind the kind
 * @param plural what it is called in paths
 * @param namespaced whether its objects are in namespaces
 * @param type what its objects are read as
 */
public record WatchedKind(
    String group,
    String version,
    String kind,
    String plural,
    boolean namespaced,
    Class<? extends HasMetadata> type) {

  /** {@return the kind as the client wants to be told of it} */
  ResourceDefinitionContext context() {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }

  boolean isOf(ObjectKey key) {
    return key.is(group, kind);
  }

  /**
   * {@return an object as its class}
   *
   * @throws IllegalArgumentException if it cannot be read as that
   */
  HasMetadata read(GenericKubernetesResource object) {
    // In lists the API server says both once for all.
    if (object.getKind() == null) {
      object.setKind(kind);
      object.setApiVersion(group.isEmpty() ? version : group + "/" + version);
    }
    // Half of what a small object takes, and of no use; a write without them leaves them alone.
    object.getMetadata().setManagedFields(ImmutableList.of());
    return type.equals(GenericKubernetesResource.class) ? object : Json.as(Json.tree(object), type);
  }
}
