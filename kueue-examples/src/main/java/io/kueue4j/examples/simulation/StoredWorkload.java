package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.kueue.KueueVersion;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import io.kueue4j.k8s.yaml.Manifest;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * A Workload among manifests, as Kueue has stored it or {@code -o yaml} has printed it.
 *
 * @param manifest its manifest
 * @param imported what it says
 * @param finished whether its job has finished
 */
record StoredWorkload(Manifest manifest, ImportedWorkload imported, boolean finished) {
  /** {@return whether this is a Workload of a version that has a status} */
  static boolean isOne(Manifest manifest) {
    return manifest.is(KueueReader.GROUP, KueueReader.WORKLOAD)
        && (manifest.apiVersion().equals(KueueVersion.V1BETA1.apiVersion())
            || manifest.apiVersion().equals(KueueVersion.V1BETA2.apiVersion()));
  }

  /** {@return the Workload that {@code imported} was read from} */
  static StoredWorkload of(Manifest manifest, ImportedWorkload imported) {
    return new StoredWorkload(
        manifest,
        imported,
        ObjectConditions.isTrue(
            manifest.as(GenericKubernetesResource.class), WorkloadStatusWriter.FINISHED));
  }

  /** {@return whether something was decided on it} */
  boolean hasStatus() {
    return finished
        || imported.admission().isPresent()
        || !imported.status().conditions().isEmpty();
  }

  /** {@return the job, by the name of the controller of the Workload if it has one} */
  SimulatedJob job() {
    String name =
        Optional.ofNullable(manifest.as(GenericKubernetesResource.class).getMetadata()).stream()
            .flatMap(metadata -> metadata.getOwnerReferences().stream())
            .filter(owner -> Objects.equals(owner.getController(), true))
            .map(OwnerReference::getName)
            .findFirst()
            .orElse(imported.workload().name());
    return new SimulatedJob(manifest, name, imported.workload());
  }

  /** {@return the time of the last change, empty if none is known} */
  Optional<Instant> lastChange() {
    ImmutableList<WorkloadCondition> conditions = imported.status().conditions();
    return Streams.concat(
            imported.workload().creationTime().stream(),
            conditions.stream().map(WorkloadCondition::lastTransitionTime))
        .max(Comparator.naturalOrder());
  }
}
