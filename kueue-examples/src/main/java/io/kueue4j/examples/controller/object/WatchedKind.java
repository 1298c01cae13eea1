package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A kind of objects that a cluster serves and a controller needs.
 *
 * @param group the API group, empty for the core group
 * @param version its version
 * @param kind the kind
 * @param plural its name in paths
 * @param namespaced whether its objects have namespaces
 * @param type the class of its objects
 */
public record WatchedKind(
    String group,
    String version,
    String kind,
    String plural,
    boolean namespaced,
    Class<? extends HasMetadata> type) {

  /** {@return a kind that the client knows by its class} */
  public static WatchedKind of(Class<? extends HasMetadata> type) {
    return new WatchedKind(
        Strings.nullToEmpty(HasMetadata.getGroup(type)),
        HasMetadata.getVersion(type),
        HasMetadata.getKind(type),
        HasMetadata.getPlural(type),
        Namespaced.class.isAssignableFrom(type),
        type);
  }

  /** {@return a kind whose objects are read without a class of their own} */
  public static WatchedKind generic(
      String group, String version, String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        group, version, kind, plural, namespaced, GenericKubernetesResource.class);
  }

  /** {@return the kind in the form that the client needs} */
  public ResourceDefinitionContext context() {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }

  public boolean isOf(ObjectKey key) {
    return key.is(group, kind);
  }

  /**
   * {@return an object as an instance of its class}
   *
   * @throws IllegalArgumentException if it cannot be read as such
   */
  public HasMetadata read(GenericKubernetesResource object) {
    // The API server omits kind and version for items of a list.
    if (object.getKind() == null) {
      object.setKind(kind);
      object.setApiVersion(group.isEmpty() ? version : group + "/" + version);
    }
    // They take half of the memory of a small object; a write without them does not change them.
    object.getMetadata().setManagedFields(ImmutableList.of());
    return type.equals(GenericKubernetesResource.class) ? object : Json.as(Json.tree(object), type);
  }
}
