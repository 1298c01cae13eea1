package io.kueue4j.k8s;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.kueue.ConfigManifest;
import io.kueue4j.k8s.internal.kueue.ConsumedUsageReader;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What was read: Kubernetes objects in the order of the sources. Immutable.
 *
 * @since 0.1.0
 */
public final class Manifests {
  private final ImmutableList<Manifest> items;
  private final ImmutableList<ConfigManifest> configuration;
  private final List<ManifestIssue> notes;

  // The last one counts: applying an object replaces an earlier one of the same name.
  private final Supplier<Map<String, ConfigManifest>> configurationByKey =
      Suppliers.memoize(this::indexConfiguration);
  private final Supplier<Map<String, Manifest>> itemsByKey = Suppliers.memoize(this::indexItems);

  private Manifests(
      ImmutableList<Manifest> items,
      ImmutableList<ConfigManifest> configuration,
      List<ManifestIssue> notes) {
    this.items = items;
    this.configuration = configuration;
    this.notes = notes;
  }

  /** {@return what was read, none of which has a problem} */
  static Manifests of(Iterable<ReadObject> objects) {
    ImmutableList.Builder<Manifest> items = ImmutableList.builder();
    ImmutableList.Builder<ConfigManifest> configuration = ImmutableList.builder();
    ImmutableList.Builder<ManifestIssue> notes = ImmutableList.builder();
    for (ReadObject object : objects) {
      object.manifest().ifPresent(items::add);
      object.configuration().ifPresent(configuration::add);
      notes.addAll(object.notes());
    }
    return new Manifests(items.build(), configuration.build(), notes.build());
  }

  /** {@return all objects, also of kinds that are unknown or of no concern} */
  public List<Manifest> items() {
    return items;
  }

  /** {@return the objects of a kind, whatever their version} */
  public List<Manifest> items(String group, String kind) {
    return items.stream().filter(item -> item.is(group, kind)).collect(toImmutableList());
  }

  /** {@return the objects that configure the engine, by their manifests} */
  public Map<Manifest, ConfigObject> configuration() {
    return configuration.stream()
        .collect(toImmutableMap(ConfigManifest::manifest, ConfigManifest::object));
  }

  /** {@return the objects that configure the engine, to be applied in one step} */
  public List<ConfigObject> configObjects() {
    return configuration.stream().map(ConfigManifest::object).collect(toImmutableList());
  }

  /**
   * {@return the Workloads, as Kueue has stored them}
   *
   * @param templates how the requests of their pods are counted
   * @throws ManifestException if a Workload cannot be read; says every problem of it
   * @throws IllegalArgumentException if the version of a Workload is older than v1beta1
   */
  public List<ImportedWorkload> workloads(PodTemplates templates) {
    return items(KueueApiVersion.GROUP, KueueReader.WORKLOAD).stream()
        .map(new WorkloadReader(templates)::read)
        .collect(toImmutableList());
  }

  /**
   * {@return what LocalQueues have used, as their status says, by their manifests; for
   * {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage}}
   *
   * @throws ManifestException if the usage of a queue cannot be read; says every field
   */
  public Map<Manifest, ConsumedUsage> consumedUsage() {
    ImmutableMap.Builder<Manifest, ConsumedUsage> byQueue = ImmutableMap.builder();
    for (Manifest queue : items(KueueApiVersion.GROUP, "LocalQueue")) {
      ConsumedUsageReader.read(queue).ifPresent(usage -> byQueue.put(queue, usage));
    }
    return byQueue.buildOrThrow();
  }

  /**
   * {@return what deserves attention but keeps nothing from working: unknown fields and kinds,
   * fields without effect, outdated forms}
   */
  public List<ManifestIssue> notes() {
    return notes;
  }

  /**
   * Finds the place of a rule violation that the engine has found.
   *
   * @param violation from {@link io.kueue4j.core.model.InvalidConfigurationException#violations()},
   *     or from the check of a workload that was read from one of these manifests
   * @return the violation with file, document, line and field of the manifest, empty if the object
   *     does not come from here
   */
  public Optional<ManifestIssue> locate(Violation violation) {
    ConfigManifest config = configurationByKey.get().get(violation.object());
    if (config != null) {
      String field = config.origin(violation.field());
      return Optional.of(config.manifest().issue(field, violation.problem()));
    }
    return Optional.ofNullable(itemsByKey.get().get(violation.object()))
        .map(item -> item.issue(field(item, violation), violation.problem()));
  }

  private Map<String, ConfigManifest> indexConfiguration() {
    Map<String, ConfigManifest> byKey = new HashMap<>();
    configuration.forEach(config -> byKey.put(config.object().key(), config));
    return byKey;
  }

  private Map<String, Manifest> indexItems() {
    Map<String, Manifest> byKey = new HashMap<>();
    items.forEach(item -> key(item).ifPresent(key -> byKey.put(key, item)));
    return byKey;
  }

  /**
   * {@return the field in the manifest; the fields of a Workload are counted from its header or
   * spec}
   */
  private static String field(Manifest item, Violation violation) {
    String field = violation.field();
    if (!item.is(KueueApiVersion.GROUP, "Workload")) {
      return field;
    }
    boolean inHeader = field.equals("name") || field.equals("namespace");
    return FieldPath.join(inHeader ? "metadata" : "spec", field);
  }

  private static Optional<String> key(Manifest item) {
    return item.name()
        .map(name -> item.kind() + " " + item.namespace().map(ns -> ns + "/").orElse("") + name);
  }
}
