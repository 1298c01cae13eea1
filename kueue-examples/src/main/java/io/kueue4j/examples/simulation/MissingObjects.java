package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.util.Set;

/** Finds queues and flavors that jobs and Workloads refer to, and that do not exist. */
final class MissingObjects {
  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  private final Set<String> existing;
  private final ImmutableList.Builder<ManifestIssue> issues = ImmutableList.builder();

  private MissingObjects(Set<String> existing) {
    this.existing = existing;
  }

  /**
   * {@return what jobs that have not finished refer to, and does not exist}
   *
   * @param existing the keys of the configuration in force
   */
  static ImmutableList<ManifestIssue> of(JobManifests manifests, Set<String> existing) {
    MissingObjects missing = new MissingObjects(existing);
    manifests.jobs().forEach(missing::addQueue);
    manifests.stored().stream().filter(workload -> !workload.finished()).forEach(missing::add);
    return missing.issues.build();
  }

  private void add(StoredWorkload workload) {
    addQueue(workload.job());
    workload.imported().admission().stream()
        .flatMap(admission -> admission.podSetAssignments().stream())
        .flatMap(assignment -> assignment.flavors().values().stream())
        .distinct()
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
