package io.kueue4j.examples.dryrun;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.examples.controller.ControllerLoop;
import io.kueue4j.examples.controller.ControllerView;
import io.kueue4j.examples.controller.JobView;
import io.kueue4j.examples.controller.configuration.ManifestObjects;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobPodSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Plays manifests without a cluster: the real controller, on a cluster that only stores what is
 * written. All objects except jobs exist from the start; jobs are created a second apart.
 *
 * <p>Jobs never finish, and no pods are created. Not thread-safe.
 */
public final class DryRun {
  private static final Duration BETWEEN_JOBS = Duration.ofSeconds(1);
  private static final int MAX_STEPS = 100_000;

  private final VirtualClock clock = VirtualClock.create();
  private final LocalCluster cluster = new LocalCluster(clock);
  private final ControllerOptions options;
  private final JobKinds kinds;
  private ControllerLoop loop;

  private DryRun(ControllerOptions options) {
    this.options = options;
    kinds = options.kinds().apply(JobKinds.TrainingRuntimes.none());
    loop = ControllerLoop.create(options, cluster, clock);
  }

  /** {@return the result of playing the manifests} */
  public static DryRun play(Manifests manifests, ControllerOptions options) {
    DryRun run = new DryRun(options);
    ImmutableList<HasMetadata> objects = ManifestObjects.of(manifests, run.kinds);
    objects.stream().filter(object -> !run.isJob(object)).forEach(run.cluster::apply);
    run.cluster.takeNews();
    run.loop.start(run.cluster.objects());
    run.settle();
    objects.stream().filter(run::isJob).forEach(run::create);
    return run;
  }

  private boolean isJob(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    return kinds.type(key.apiGroup(), key.kind()).isPresent()
        && !(object instanceof Pod pod
            && pod.getSpec() != null
            && pod.getSpec().getNodeName() != null);
  }

  /**
   * Creates or replaces an object, a second after the previous change.
   *
   * @return the stored object
   */
  HasMetadata create(HasMetadata object) {
    clock.advance(BETWEEN_JOBS);
    HasMetadata stored = cluster.apply(object);
    settle();
    return stored;
  }

  /** Replaces the controller by a new one. */
  void restart() {
    cluster.takeNews();
    loop = ControllerLoop.create(options, cluster, clock);
    loop.start(cluster.objects());
    settle();
  }

  /** Runs the controller until it has nothing to do now. */
  void settle() {
    for (int step = 0; step < MAX_STEPS; step++) {
      cluster.takeNews().forEach(loop::accept);
      Instant next = loop.step();
      ImmutableList<ClusterEvent> news = cluster.takeNews();
      if (news.isEmpty() && next.isAfter(clock.instant())) {
        return;
      }
      news.forEach(loop::accept);
    }
    throw new IllegalStateException(
        "the controller has not come to rest after " + MAX_STEPS + " steps");
  }

  LocalCluster cluster() {
    return cluster;
  }

  VirtualClock clock() {
    return clock;
  }

  /** {@return the state of the controller at the end} */
  public ControllerView view() {
    return loop.view();
  }

  /** {@return the pods of a job in its current form, empty if it cannot be found} */
  public List<JobPodSet> podSets(JobView job) {
    return cluster.objects().stream()
        .filter(object -> isCalled(object, job))
        .findFirst()
        .flatMap(this::podSets)
        .orElse(ImmutableList.of());
  }

  private static boolean isCalled(HasMetadata object, JobView job) {
    ObjectKey key = ObjectKey.of(object);
    return key.kind().equals(job.kind())
        && key.namespace().equals(job.namespace())
        && key.name().equals(job.name());
  }

  private <J extends HasMetadata> Optional<List<JobPodSet>> podSets(J job) {
    return kinds.find(job).map(kind -> kind.podSets(job));
  }
}
