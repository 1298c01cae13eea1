package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;

/**
 * A configuration object and the manifest that it was read from.
 *
 * @param object the object
 * @param manifest the manifest
 */
public record GivenObject(ConfigObject object, Manifest manifest) {
  /** {@return the configuration among manifests, in their order} */
  public static ImmutableList<GivenObject> of(Manifests manifests) {
    return manifests.configuration().entrySet().stream()
        .map(entry -> new GivenObject(entry.getValue(), entry.getKey()))
        .collect(ImmutableList.toImmutableList());
  }
}
