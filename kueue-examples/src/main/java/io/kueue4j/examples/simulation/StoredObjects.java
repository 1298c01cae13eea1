package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.kueue.ConfigManifest;
import io.kueue4j.k8s.kueue.KueueVersion;
import io.kueue4j.k8s.status.FinishReason;
import io.kueue4j.k8s.status.QueueStatusWriter;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import io.kueue4j.k8s.yaml.Manifest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Writes the state of an engine into the objects that Kueue would store. */
final class StoredObjects {
  private static final Set<String> WRITTEN =
      Set.of(KueueVersion.V1BETA1.apiVersion(), KueueVersion.V1BETA2.apiVersion());

  private final AdmissionEngine engine;
  private final Instant now;

  StoredObjects(AdmissionEngine engine, Instant now) {
    this.engine = engine;
    this.now = now;
  }

  /** {@return the queues among manifests; if several have the same name, the last} */
  ImmutableList<GenericKubernetesResource> queues(List<Manifests> given, QueueStatusWriter writer) {
    EngineView view = engine.view();
    Map<String, GenericKubernetesResource> queues = new LinkedHashMap<>();
    for (Manifests manifests : given) {
      for (ConfigManifest config : manifests.configuration()) {
        if (WRITTEN.contains(config.manifest().apiVersion())) {
          queue(config, view, writer)
              .ifPresent(queue -> queues.put(config.object().key(), queue));
        }
      }
    }
    return ImmutableList.copyOf(queues.values());
  }

  private Optional<GenericKubernetesResource> queue(
      ConfigManifest config, EngineView view, QueueStatusWriter writer) {
    if (config.object() instanceof ClusterQueue queue) {
      return view.clusterQueue(queue.name())
          .map(known -> writer.clusterQueue(object(config.manifest()), known, now));
    }
    if (config.object() instanceof LocalQueue queue) {
      return view.localQueue(queue.namespace(), queue.name())
          .map(known -> writer.localQueue(object(config.manifest()), known, view, now));
    }
    return Optional.empty();
  }

  private static GenericKubernetesResource object(Manifest manifest) {
    GenericKubernetesResource object = manifest.as(GenericKubernetesResource.class);
    object.setMetadata(
        new ObjectMetaBuilder(Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new))
            .withNamespace(manifest.namespace().orElse(null))
            .build());
    return object;
  }

  /** {@return the Workload {@code object} with its status} */
  GenericKubernetesResource workload(
      GenericKubernetesResource object, Workload workload, boolean finished) {
    WorkloadId id = workload.id();
    return finished
        ? WorkloadStatusWriter.finish(
            object, FinishReason.SUCCEEDED, "Job finished successfully", now)
        : WorkloadStatusWriter.write(
            object, workload, engine.lifecycle().status(id), engine.admission(id));
  }
}
