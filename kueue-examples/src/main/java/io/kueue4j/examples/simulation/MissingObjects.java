package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.topology.TpuNodePools;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds objects that jobs, Workloads and configuration refer to, and that do not exist; TPU pools
 * are such objects, too, where TPU slices are given.
 */
final class MissingObjects {
  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  private final Set<String> existing;
  private final boolean tpuSlices;
  private final ImmutableList.Builder<ManifestIssue> issues = ImmutableList.builder();

  private MissingObjects(Set<String> existing, boolean tpuSlices) {
    this.existing = existing;
    this.tpuSlices = tpuSlices;
  }

  /**
   * {@return what the configuration and jobs that have not finished refer to, and does not exist}
   *
   * @param configuration the configuration in force, by key
   * @param given all manifests that it is from
   * @param tpuSlices whether flavors of TPU nodes are to give slices
   */
  static List<ManifestIssue> of(
      JobManifests manifests,
      Map<String, ConfigObject> configuration,
      List<Manifests> given,
      boolean tpuSlices) {
    MissingObjects missing = new MissingObjects(configuration.keySet(), tpuSlices);
    given.stream()
        .flatMap(each -> GivenObject.of(each).stream())
        .filter(each -> each.object().equals(configuration.get(each.object().key())))
        .forEach(missing::add);
    manifests.jobs().forEach(missing::addQueue);
    manifests.stored().stream().filter(workload -> !workload.finished()).forEach(missing::add);
    return missing.issues.build();
  }

  private void add(GivenObject config) {
    if (config.object() instanceof LocalQueue queue) {
      require(config, "spec.clusterQueue", "ClusterQueue", queue.clusterQueue());
    } else if (config.object() instanceof ClusterQueue queue) {
      queue
          .flavors()
          .forEach(flavor -> require(config, "spec.resourceGroups", "ResourceFlavor", flavor));
      queue
          .admissionChecks()
          .forEach(check -> require(config, "spec", "AdmissionCheck", check.name()));
    } else if (config.object() instanceof ResourceFlavor flavor) {
      flavor
          .topologyName()
          .ifPresent(name -> require(config, "spec.topologyName", "Topology", name));
      if (tpuSlices && TpuNodePools.isPlacedByTopology(flavor)) {
        issues.add(config
            .manifest()
            .issue(
                "spec.topologyName",
                "its TPU chips are placed by the topology and not given as slices; a flavor without"
                    + " topologyName gives slices"));
      }
    }
  }

  private void require(GivenObject config, String field, String kind, String name) {
    if (!existing.contains(kind + " " + name)) {
      issues.add(config
          .manifest()
          .issue(
              field, "there is no " + kind + " " + name + "; nothing is admitted until there is"));
    }
  }

  private void add(StoredWorkload workload) {
    addQueue(workload.job());
    workload.imported().admission().stream()
        .flatMap(admission -> admission.flavors().stream())
        .filter(flavor -> !existing.contains("ResourceFlavor " + flavor))
        .forEach(flavor -> issues.add(workload
            .manifest()
            .issue(
                "status.admission.podSetAssignments",
                "there is no ResourceFlavor " + flavor
                    + "; what it holds of it counts in no quota")));
  }

  private void addQueue(SimulatedJob job) {
    String queue = job.workload().queueName();
    if (existing.contains(LocalQueue.of(job.namespace(), queue, "").key())) {
      return;
    }
    String message = "there is no LocalQueue " + queue + " in namespace " + job.namespace();
    if (StoredWorkload.isOne(job.manifest())) {
      issues.add(job.manifest().issue("spec.queueName", message));
    } else {
      String holder = job.manifest().labels().containsKey(QUEUE_NAME) ? "labels" : "annotations";
      issues.add(job.manifest()
          .issue(
              "metadata." + holder + "[" + QUEUE_NAME + "]",
              message + "; the job waits until there is"));
    }
  }
}
