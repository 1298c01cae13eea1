package io.kueue4j.examples.simulation;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A workload that exists already: a Workload among manifests, as Kueue has stored it or {@code -o
 * yaml} has printed it, or a job that was started or has ended.
 *
 * @param job the job, with the manifest of the Workload or of the job
 * @param imported what is stored
 * @param finished whether its job has finished
 */
record StoredWorkload(SimulatedJob job, ImportedWorkload imported, boolean finished) {
  /** {@return whether this is a Workload of a version that has a status} */
  static boolean isOne(Manifest manifest) {
    return manifest.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD)
        && (manifest.apiVersion().equals(KueueApiVersion.V1BETA1.apiVersion())
            || manifest.apiVersion().equals(KueueApiVersion.V1BETA2.apiVersion()));
  }

  /** {@return the Workload that {@code imported} was read from} */
  static StoredWorkload of(Manifest manifest, ImportedWorkload imported) {
    return new StoredWorkload(
        new SimulatedJob(
            manifest,
            jobName(manifest, imported),
            imported.workload(),
            imported.status().reclaimablePods()),
        imported,
        ObjectConditions.isTrue(
            manifest.as(GenericKubernetesResource.class), WorkloadStatusWriter.FINISHED));
  }

  Manifest manifest() {
    return job.manifest();
  }

  WorkloadId id() {
    return imported.workload().id();
  }

  /** {@return whether something was decided on it} */
  boolean hasStatus() {
    return finished
        || imported.admission().isPresent()
        || !imported.status().conditions().isEmpty();
  }

  /** {@return whether another has the same content, wherever it stands} */
  boolean hasContentOf(StoredWorkload other) {
    return finished == other.finished
        && imported.workload().equals(other.imported.workload())
        && imported.admission().equals(other.imported.admission())
        && imported.status().equals(other.imported.status());
  }

  /** {@return the name of the controller of the Workload, or of the Workload if it has none} */
  private static String jobName(Manifest manifest, ImportedWorkload imported) {
    return owners(manifest)
        .filter(owner -> Objects.equals(owner.getController(), true))
        .map(OwnerReference::getName)
        .filter(name -> !Strings.isNullOrEmpty(name))
        .findFirst()
        .orElse(imported.workload().name());
  }

  /** {@return the uids of the objects that the Workload was made for} */
  ImmutableSet<String> ownerUids() {
    return owners(manifest())
        .map(OwnerReference::getUid)
        .filter(uid -> !Strings.isNullOrEmpty(uid))
        .collect(ImmutableSet.toImmutableSet());
  }

  private static Stream<OwnerReference> owners(Manifest manifest) {
    return Optional.ofNullable(manifest.as(GenericKubernetesResource.class).getMetadata()).stream()
        .flatMap(metadata -> metadata.getOwnerReferences().stream());
  }

  /** {@return the time of the last change, empty if none is known} */
  Optional<Instant> lastChange() {
    List<WorkloadCondition> conditions = imported.status().conditions();
    return Streams.concat(
            imported.workload().creationTime().stream(),
            conditions.stream().map(WorkloadCondition::lastTransitionTime))
        .max(Comparator.naturalOrder());
  }
}
