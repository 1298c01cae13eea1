package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds objects that have the uid of another, as files of several clusters or edited ones may. */
final class SharedUids {
  private SharedUids() {}

  /** {@return the objects whose uid an object of another kind or name before them has} */
  static List<ManifestIssue> warnings(Manifests manifests) {
    Map<String, String> owners = new HashMap<>();
    ImmutableList.Builder<ManifestIssue> warnings = ImmutableList.builder();
    for (Manifest manifest : manifests.items()) {
      String uid = StartedJobs.uid(manifest.as(GenericKubernetesResource.class));
      String name = manifest.kind() + " "
          + manifest.namespace().map(namespace -> namespace + "/").orElse("")
          + manifest.name().orElse("");
      String first = uid.isEmpty() ? name : owners.computeIfAbsent(uid, unused -> name);
      if (!first.equals(name)) {
        warnings.add(manifest.issue(
            "metadata.uid",
            YamlScalar.quote(uid) + " is the uid of " + first + " as well; both count"));
      }
    }
    return warnings.build();
  }
}
