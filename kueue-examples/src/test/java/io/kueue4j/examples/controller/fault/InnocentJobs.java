package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Jobs in namespace default that no tenant edits: checks that a controller starts each of them
 * once, and stops none.
 */
final class InnocentJobs {
  private static final String NAMESPACE = "default";

  private final StrictCluster cluster;
  private final Predicate<String> isController;
  private final boolean startsOnce;
  private final Map<String, Integer> startsByUid = new HashMap<>();
  private final Set<String> ready = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private int created;
  private int starts;

  /**
   * Watches a cluster from now on.
   *
   * @param startsOnce whether nothing but the end of a job is a reason to stop it
   */
  InnocentJobs(StrictCluster cluster, Predicate<String> isController, boolean startsOnce) {
    this.cluster = cluster;
    this.isController = isController;
    this.startsOnce = startsOnce;
    cluster.watch(this::check);
  }

  List<String> violations() {
    return violations;
  }

  int starts() {
    return starts;
  }

  int count() {
    return created;
  }

  private void check(ApiWrite write) {
    ObjectNode before = write.before();
    ObjectNode after = write.after();
    if (before == null || after == null) {
      return;
    }
    if (write.key().kind().equals("Workload")) {
      rememberAnswer(write, after);
    }
    if (!JobView.isJob(write.key()) || !isController.test(write.actor())) {
      return;
    }
    JobView now = new JobView(after);
    boolean ran = !new JobView(before).isSuspended();
    boolean runs = !now.isSuspended();
    if (!ran && runs) {
      starts++;
      checkAnswer(write, now);
    }
    if (!write.key().namespace().equals(NAMESPACE) || !startsOnce) {
      return;
    }
    if (ran && !runs) {
      violations.add(write + ": an innocent job was stopped: " + after);
    }
    if (!ran && runs && startsByUid.merge(now.uid(), 1, Integer::sum) > 1) {
      violations.add(write + ": an innocent job was started twice");
    }
  }

  /** The checks of a job were passed, by the program that answers them. */
  private void rememberAnswer(ApiWrite write, ObjectNode workload) {
    List<String> states = workload.at("/status/admissionChecks").findValuesAsText("state");
    if (write.actor().equals("checks")
        && !states.isEmpty()
        && states.stream().allMatch("Ready"::equals)) {
      ready.add(JobView.owner(workload));
    }
  }

  private void checkAnswer(ApiWrite write, JobView job) {
    ObjectNode queue = cluster.tree(new ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "cq0"));
    if (queue != null
        && queue.at("/spec").has("admissionChecksStrategy")
        && !ready.contains(job.uid())) {
      violations.add(write + ": a job was started whose check has not passed: " + job.tree());
    }
  }

  /** {@return a new job, of at most 4 CPUs} */
  HasMetadata create(Random random, int queues, boolean priorities) {
    created++;
    int count = 1 + random.nextInt(2);
    String template = """
        {"metadata": {"labels": {"app": "a"}}, "spec": {"restartPolicy": "Never",
         "containers": [{"name": "main", "image": "sleep:1",
           "resources": {"requests": {"cpu": "%d"}}}]}}
        """.formatted(1 + random.nextInt(2));
    String labels = "\"kueue.x-k8s.io/queue-name\": \"lq" + random.nextInt(queues) + "\""
        + (priorities && random.nextInt(3) == 0
            ? ", \"kueue.x-k8s.io/priority-class\": \"high\""
            : "");
    return Trees.toObject(Trees.parse(
        random.nextInt(5) > 0
            ? """
            {"apiVersion": "batch/v1", "kind": "Job",
             "metadata": {"name": "job%d", "namespace": "default", "labels": {%s}},
             "spec": {"suspend": true, "parallelism": %d, "completions": %d, "template": %s}}
            """.formatted(created, labels, count, count, template)
            : """
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "set%d", "namespace": "default", "labels": {%s}},
             "spec": {"suspend": true, "replicatedJobs": [
               {"name": "a", "replicas": %d, "template": {"spec": {
                 "parallelism": 1, "completions": 1, "template": %s}}}]}}
            """.formatted(created, labels, count, template)));
  }

  /** {@return the jobs that exist} */
  List<ObjectKey> keys() {
    return cluster.trees(key -> JobView.isJob(key) && key.namespace().equals(NAMESPACE)).stream()
        .filter(tree -> !new JobView(tree).isChild())
        .map(ObjectKey::of)
        .toList();
  }

  /** {@return the jobs that exist and have not ended} */
  List<ObjectKey> unfinished() {
    return cluster.trees(key -> JobView.isJob(key) && key.namespace().equals(NAMESPACE)).stream()
        .map(JobView::new)
        .filter(job -> !job.isChild() && !job.hasEnded())
        .map(JobView::key)
        .toList();
  }
}
