package io.kueue4j.examples.controller.fault;

import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.simulation.VirtualClock;
import java.time.Duration;
import java.util.Locale;

/**
 * Many Jobs on many queues, of which a tenth has room at a time: all are created, then the
 * controller starts what fits, what runs ends, and so on.
 */
final class LoadRun {
  private static final String CONTROLLER = "controller";

  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_36, clock);
  private final int jobs;
  private final int queues;
  private long controllerNanos;
  private int rounds;

  private LoadRun(int jobs, int queues) {
    this.jobs = jobs;
    this.queues = queues;
  }

  /**
   * What came of it.
   *
   * @param starts Jobs that were started
   * @param jobWrites writes of Jobs by the controller
   * @param rounds how often what ran ended
   * @param seconds what the controller took, without the cluster
   */
  record Result(int starts, int jobWrites, int rounds, double seconds) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d starts in %d rounds, %.3f writes of Jobs for each, %.1f s, %.0f admissions/s",
          starts,
          rounds,
          (double) jobWrites / starts,
          seconds,
          starts / seconds);
    }
  }

  static Result of(int jobs, int queues) {
    return new LoadRun(jobs, queues).run();
  }

  private Result run() {
    create();
    try (ControllerProcess controller = ControllerProcess.start(
        CONTROLLER, cluster, clock, ControllerOptions.defaults(), PlantedBug.NONE, w -> w)) {
      do {
        rounds++;
        clock.advance(Duration.ofSeconds(10));
        long begin = System.nanoTime();
        controller.tellAll();
        controller.step();
        controllerNanos += System.nanoTime() - begin;
      } while (finishAll());
    }
    int starts = 0;
    int writes = 0;
    for (ApiWrite write : cluster.log()) {
      if (write.actor().equals(CONTROLLER) && write.key().kind().equals("Job")) {
        writes++;
        if (write.before("spec", "suspend").asBoolean()
            && !write.after("spec", "suspend").asBoolean()) {
          starts++;
        }
      }
    }
    return new Result(starts, writes, rounds, controllerNanos / 1e9);
  }

  private void create() {
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
         "metadata": {"name": "f0"}, "spec": {"nodeLabels": {"pool": "f0"}}}
        """);
    int atATime = Math.max(1, jobs / queues / 10);
    for (int i = 0; i < queues; i++) {
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
           "metadata": {"name": "cq%d"},
           "spec": {"namespaceSelector": {}, "cohortName": "c%d",
             "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
               {"name": "f0", "resources": [{"name": "cpu", "nominalQuota": "%d"}]}]}]}}
          """.formatted(i, i / 10, atATime));
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
           "metadata": {"name": "lq%d", "namespace": "default"},
           "spec": {"clusterQueue": "cq%d"}}
          """.formatted(i, i));
    }
    for (int i = 0; i < jobs; i++) {
      put("""
          {"apiVersion": "batch/v1", "kind": "Job",
           "metadata": {"name": "job%d", "namespace": "default",
             "labels": {"kueue.x-k8s.io/queue-name": "lq%d"}},
           "spec": {"suspend": true, "template": {"spec": {"restartPolicy": "Never",
             "containers": [{"name": "main", "image": "sleep:1",
               "resources": {"requests": {"cpu": "1"}}}]}}}}
          """.formatted(i, i % queues));
    }
  }

  private void put(String json) {
    cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(json)));
  }

  /** {@return whether anything ran} */
  private boolean finishAll() {
    boolean any = false;
    for (var job : cluster.trees("Job")) {
      JobView view = new JobView(job);
      if (!view.isSuspended() && !view.hasEnded()) {
        any = true;
        cluster.edit(
            JobSimulator.ACTOR,
            ApiWrite.Verb.REPLACE_STATUS,
            view.key(),
            tree -> Statuses.complete(tree, clock.instant()));
      }
    }
    return any;
  }
}
