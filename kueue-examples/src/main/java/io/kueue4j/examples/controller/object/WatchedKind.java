package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
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
  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

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
   * {@return requests for these objects, which take what {@link #written} returns and return what
   * {@link #read} takes}
   */
  @SuppressWarnings("unchecked") // objects of other kinds are not passed
  public MixedOperation<HasMetadata, KubernetesResourceList<HasMetadata>, Resource<HasMetadata>>
      requests(KubernetesClient client) {
    MixedOperation<?, ?, ?> requests =
        isBuiltIn() ? client.resources(type) : client.genericKubernetesResources(context());
    return (MixedOperation<HasMetadata, KubernetesResourceList<HasMetadata>, Resource<HasMetadata>>)
        requests;
  }

  /** What the client reads as an instance of its class anyway is not converted twice. */
  private boolean isBuiltIn() {
    return !type.equals(GenericKubernetesResource.class)
        && type.getName().startsWith(MODEL)
        && equals(of(type));
  }

  /** {@return an object in the form in which the client writes it} */
  public HasMetadata written(HasMetadata object) {
    return isBuiltIn() || object instanceof GenericKubernetesResource
        ? object
        : Json.convert(object, GenericKubernetesResource.class);
  }

  /**
   * {@return an object as an instance of its class}
   *
   * @throws IllegalArgumentException if it cannot be read as such
   */
  public HasMetadata read(HasMetadata object) {
    // The API server omits kind and version for items of a list.
    if (object instanceof GenericKubernetesResource generic && generic.getKind() == null) {
      generic.setKind(kind);
      generic.setApiVersion(group.isEmpty() ? version : group + "/" + version);
    }
    // They take half of the memory of a small object; a write without them does not change them.
    object.getMetadata().setManagedFields(ImmutableList.of());
    return type.isInstance(object) ? object : Json.convert(object, type);
  }
}
