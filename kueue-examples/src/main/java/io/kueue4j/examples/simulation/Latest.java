package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is left of objects that replace earlier ones of the same name, as {@code apply} does. */
public final class Latest {
  private Latest() {}

  /**
   * {@return the configuration among manifests, nodes with what pods take of them that are bound to
   * them}
   */
  public static List<ConfigObject> inForce(Manifests manifests) {
    return inForce(ImmutableList.of(manifests), manifests);
  }

  /**
   * {@return the configuration among {@code changed}, and all nodes with what pods take of them}
   *
   * @param all all manifests, with those that change at the end
   * @param changed the last of them
   */
  public static List<ConfigObject> inForce(List<Manifests> all, Manifests changed) {
    Map<String, ConfigObject> latest = new LinkedHashMap<>();
    configuration(changed).forEach(object -> latest.put(object.key(), object));
    ClusterNodes.of(all).forEach(node -> latest.put(node.key(), node));
    return ImmutableList.copyOf(latest.values());
  }

  /** {@return a message with the places of what is wrong with the configuration in manifests} */
  public static String message(InvalidConfigurationException wrong, Manifests... manifests) {
    return wrong.violations().stream()
        .map(violation -> Arrays.stream(manifests)
            .flatMap(given -> given.locate(violation).stream())
            .findFirst()
            .map(ManifestIssue::toString)
            .orElseGet(violation::toString))
        .collect(Collectors.joining("\n"));
  }

  /** {@return the configuration by key; of what is given several times the last} */
  static Map<String, GivenObject> byKey(Manifests manifests) {
    Map<String, GivenObject> latest = new LinkedHashMap<>();
    GivenObject.of(manifests).forEach(config -> latest.put(config.object().key(), config));
    return latest;
  }

  private static Stream<ConfigObject> configuration(Manifests manifests) {
    return byKey(manifests).values().stream().map(GivenObject::object);
  }

  /** {@return the objects that are given again with another content, which are not used} */
  public static List<ManifestIssue> replaced(Manifests manifests) {
    Map<String, GivenObject> latest = byKey(manifests);
    ImmutableList.Builder<ManifestIssue> replaced = ImmutableList.builder();
    for (GivenObject config : GivenObject.of(manifests)) {
      GivenObject last = latest.getOrDefault(config.object().key(), config);
      if (!last.object().equals(config.object())) {
        replaced.add(config
            .manifest()
            .issue(
                "metadata.name",
                config.object().key() + " is given again with another content in "
                    + last.manifest().source() + ", document " + last.manifest().document()
                    + ", which counts"));
      }
    }
    return replaced.build();
  }

  /** {@return the ClusterQueues that are to be served by usage, for who does not remember any} */
  static List<ManifestIssue> servedByUsage(Manifests manifests) {
    return GivenObject.of(manifests).stream()
        .filter(config -> config.object() instanceof ClusterQueue queue
            && queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
        .map(config -> config
            .manifest()
            .issue(
                "spec.admissionScope.admissionMode",
                "without effect: no half-life of usage is set, which Kueue reads from its"
                    + " Configuration"))
        .collect(toImmutableList());
  }

  /** {@return what is no configuration, though the reader knows it} */
  static List<ManifestIssue> withoutConfiguration(Manifests manifests) {
    Set<Manifest> used = GivenObject.of(manifests).stream()
        .map(GivenObject::manifest)
        .collect(Collectors.toCollection(HashSet::new));
    manifests.items().stream()
        .filter(manifest -> manifests.notes().stream().anyMatch(note -> concerns(note, manifest)))
        .forEach(used::add);
    return manifests.items().stream()
        .filter(manifest -> !used.contains(manifest) && !manifest.is("", "Pod"))
        .map(manifest -> manifest.issue(
            "kind", "passed over: a change takes configuration and pods on nodes only"))
        .collect(toImmutableList());
  }

  /** {@return whether a note says that a manifest is not used} */
  private static boolean concerns(ManifestIssue note, Manifest manifest) {
    return note.field().equals("kind")
        && note.source().equals(manifest.source())
        && note.document() == manifest.document();
  }

  static <T extends ConfigObject> ImmutableList<T> configuration(
      Manifests manifests, Class<T> type) {
    return configuration(manifests)
        .filter(type::isInstance)
        .map(type::cast)
        .collect(toImmutableList());
  }
}
