package io.kueue4j.k8s.pod;

import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.jspecify.annotations.Nullable;

/**
 * The requests and limits of one container, or of the pod as a whole.
 *
 * @param name its name; empty for the pod
 * @param path its field
 * @param resourcesPath the field of its requests and limits
 * @param sidecar whether it is an init container that runs as long as the pod does
 * @param requests the requests
 * @param limits the limits
 */
record ContainerResources(
    String name,
    String path,
    String resourcesPath,
    boolean sidecar,
    ResourceList requests,
    ResourceList limits) {

  static ContainerResources read(
      String name,
      String path,
      String resourcesPath,
      boolean sidecar,
      @Nullable ResourceRequirements resources,
      FieldErrors errors) {
    if (resources == null) {
      return new ContainerResources(
          name, path, resourcesPath, sidecar, ResourceList.EMPTY, ResourceList.EMPTY);
    }
    return new ContainerResources(
        name,
        path,
        resourcesPath,
        sidecar,
        errors.quantities(resourcesPath + ".requests", resources.getRequests()),
        errors.quantities(resourcesPath + ".limits", resources.getLimits()));
  }

  /** Fills in the defaults of a LimitRange where no value is specified. */
  ContainerResources withDefaults(LimitRangeSummary.Limits defaults) {
    return new ContainerResources(
        name,
        path,
        resourcesPath,
        sidecar,
        requests.orElse(defaults.defaultRequest()),
        limits.orElse(defaults.defaultLimit()));
  }

  ContainerResources withLimitsAsRequests() {
    return withRequests(requests.orElse(limits));
  }

  /** Raises the requests to these, of each resource. */
  ContainerResources withAtLeast(ResourceList least) {
    return withRequests(requests.max(least));
  }

  private ContainerResources withRequests(ResourceList newRequests) {
    return new ContainerResources(name, path, resourcesPath, sidecar, newRequests, limits);
  }
}
