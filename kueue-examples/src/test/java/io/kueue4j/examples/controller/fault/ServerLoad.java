package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.cluster.QueuedJobs;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The load of {@link LoadRun} through the client and HTTP, with room for all Jobs at once: all are
 * started by one controller, then another begins.
 */
final class ServerLoad {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final ApiServer server;
  private final int jobs;
  private final int queues;

  private ServerLoad(ApiServer server, int jobs, int queues) {
    this.server = server;
    this.jobs = jobs;
    this.queues = queues;
  }

  /**
   * What came of it.
   *
   * @param starts Jobs that run in the end
   * @param jobWrites writes of Jobs by the controllers
   * @param seconds from the start of the first controller until all Jobs run
   * @param rebuildSeconds from the start of the second until it knows of all of them
   * @param heapMegabytes what the first controller holds on the heap in the end, with its client
   */
  record Result(
      String server,
      long starts,
      long jobWrites,
      double seconds,
      double rebuildSeconds,
      long heapMegabytes) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %d starts, %.3f writes of Jobs for each, %.1f s, %.0f admissions/s, known again after"
              + " %.1f s, heap %d MB",
          server,
          starts,
          (double) jobWrites / starts,
          seconds,
          starts / seconds,
          rebuildSeconds,
          heapMegabytes);
    }
  }

  static Result of(int jobs, int queues) throws Exception {
    try (ApiServer server = ApiServer.ofItsOwn()) {
      server.serveWorkloads();
      return new ServerLoad(server, jobs, queues).run();
    }
  }

  private Result run() throws Exception {
    try (KubernetesClient client = server.client()) {
      QueuedJobs.create(client, jobs, queues);
      long written = server.jobReplacements();
      long heapBefore = usedMegabytes();
      long[] heap = {0};
      double seconds = control(() -> heap[0] = usedMegabytes() - heapBefore);
      double rebuildSeconds = control(() -> {});
      long starts = client.batch().v1().jobs().inAnyNamespace().list().getItems().stream()
          .filter(job -> !job.getSpec().getSuspend())
          .count();
      return new Result(
          server.toString(),
          starts,
          server.jobReplacements() - written,
          seconds,
          rebuildSeconds,
          heap[0]);
    }
  }

  /**
   * Lets a controller work until all Jobs run.
   *
   * @return how long that took, in seconds
   */
  private double control(Runnable inTheEnd) throws Exception {
    long begin = System.nanoTime();
    try (RunningController running = RunningController.start(
        server.client(), builder -> builder.kinds(RunningController.KINDS).queues(manifests()))) {
      while (!allRun(running.controller()) && !running.hasEnded()) {
        if (System.nanoTime() - begin > PATIENCE_NANOS) {
          throw new IllegalStateException("not all Jobs run on " + server);
        }
        Thread.sleep(50);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      inTheEnd.run();
      return seconds;
    }
  }

  private boolean allRun(Controller controller) {
    return controller
        .view()
        .filter(view ->
            view.jobs().stream().filter(job -> job.state() == JobState.ADMITTED).count() == jobs)
        .isPresent();
  }

  private static long usedMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }

  private Manifests manifests() {
    return ManifestReader.create()
        .read(
            ManifestSource.of("queues.yaml", QueuedJobs.queues(queues, queues, jobs / queues + 1)));
  }
}
