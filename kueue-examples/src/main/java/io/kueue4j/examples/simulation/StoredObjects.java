package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.status.QueueStatusWriter;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the state of an engine into the objects that Kueue would store. */
final class StoredObjects {
  private final AdmissionEngine engine;
  private final Instant now;

  StoredObjects(AdmissionEngine engine, Instant now) {
    this.engine = engine;
    this.now = now;
  }

  /**
   * {@return the configuration among manifests, queues with their status, and the pods on nodes; of
   * what is given several times the last}
   */
  ImmutableList<GenericKubernetesResource> configuration(
      List<Manifests> given, QueueStatusWriter writer) {
    EngineView view = engine.view();
    Map<String, GenericKubernetesResource> objects = new LinkedHashMap<>();
    for (Manifests manifests : given) {
      for (GivenObject config : GivenObject.of(manifests)) {
        objects.put(config.object().key(), withStatus(config, view, writer));
      }
      for (Manifest pod : manifests.items("", "Pod")) {
        if (!ManifestJob.isJob(pod.as(Pod.class))) {
          objects.put(pod.toString(), ConfigurationWriter.given(pod));
        }
      }
    }
    return ImmutableList.copyOf(objects.values());
  }

  private GenericKubernetesResource withStatus(
      GivenObject config, EngineView view, QueueStatusWriter writer) {
    GenericKubernetesResource object = ConfigurationWriter.write(config);
    if (config.object() instanceof ClusterQueue queue) {
      return view.clusterQueue(queue.name())
          .map(known -> writer.clusterQueue(object, known, now))
          .orElse(object);
    }
    if (config.object() instanceof LocalQueue queue) {
      return view.localQueue(queue.namespace(), queue.name())
          .map(known -> writer.localQueue(object, known, view, now))
          .orElse(object);
    }
    return object;
  }

  /** {@return the Workload of a job with its status, or with what it finished with} */
  GenericKubernetesResource workload(PlayedJob entry, JobManifests manifests) {
    GenericKubernetesResource object = StoredWorkload.isOne(entry.job.manifest())
        ? ConfigurationWriter.given(entry.job.manifest())
        : manifests.write(entry.job, entry.created);
    Workload workload = entry.job.workload();
    WorkloadId id = workload.id();
    return entry.status == JobStatus.FINISHED
        ? WorkloadStatusWriter.finish(
            WorkloadStatusWriter.write(object, workload, entry.last, entry.admission),
            WorkloadStatusWriter.FinishReason.SUCCEEDED,
            "Job finished successfully",
            now)
        : WorkloadStatusWriter.write(
            object, workload, engine.lifecycle().status(id), engine.admission(id));
  }
}
