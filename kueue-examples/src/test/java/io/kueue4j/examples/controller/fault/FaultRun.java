package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSetSimulator;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.simulation.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * One life of a cluster, all of it decided by a seed.
 *
 * <p>While it is busy, users, the controllers of the cluster and the controller act in any order,
 * with {@link Faults}. Then no fault happens any more, and everybody acts until nothing is left to
 * be done; then the jobs that run end, and so on, until none is left that could run.
 */
final class FaultRun {
  private static final String CONTROLLER = "controller-";
  private static final int QUIET_ROUNDS = 200;

  private final Random random;

  private final PlantedBug bug;
  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster;
  private final JobSimulator jobs;
  private final JobSetSimulator jobSets;
  private final RandomCluster queues;
  private final ClusterChecker checker;
  private final ControllerOptions options;
  private final Faults faults;
  private final int overlapPercent;
  private final List<Runnable> late = new ArrayList<>();
  private boolean busy = true;
  private int processes;
  private ControllerProcess leader;

  private FaultRun(long seed, PlantedBug bug) {
    this.random = new Random(seed);
    this.bug = bug;
    ServerVersion version =
        random.nextInt(2) == 0 ? ServerVersion.KUBERNETES_1_35 : ServerVersion.KUBERNETES_1_36;
    cluster = StrictCluster.create(version, clock);
    jobs = new JobSimulator(cluster, version, clock);
    jobSets = new JobSetSimulator(cluster);
    queues = new RandomCluster(random);
    boolean strictQuota = random.nextBoolean();
    Settings.Builder settings = Settings.builder().strictQuota(strictQuota);
    // Without a random number, so that other lives stay as they are.
    if (seed % 4 == 3) {
      settings.backfill(Backfill.ofDepth(2));
    }
    options = ControllerOptions.defaults().withSettings(settings.build());
    checker = new ClusterChecker(
        cluster,
        clock,
        job -> !strictQuota && leader.isPreempted(job.id()),
        actor -> actor.startsWith(CONTROLLER));
    queues.create(cluster);
    faults = Faults.of(random);
    overlapPercent = random.nextInt(4) == 0 ? 50 : 0;
    leader = startProcess();
  }

  /** The result of a run. */
  record Result(List<String> violations, int starts, int stops, int writes, int processes) {}

  /** Runs a seed and prints every write. */
  static void trace(long seed, PlantedBug bug) {
    FaultRun run = new FaultRun(seed, bug);
    run.cluster.log().forEach(write -> System.out.println(write + " " + write.object()));
    FaultRunMain.print(run.cluster, run.clock);
    Result result = run.run();
    result.violations().forEach(System.out::println);
  }

  /** {@return the result of the run of a seed} */
  static Result of(long seed, PlantedBug bug) {
    return new FaultRun(seed, bug).run();
  }

  private Result run() {
    int steps = 40 + random.nextInt(80);
    for (int i = 0; i < steps && checker.violations().isEmpty(); i++) {
      act();
    }
    busy = false;
    late.forEach(Runnable::run);
    late.clear();
    if (checker.violations().isEmpty()) {
      drain();
    }
    leader.close();
    return new Result(
        checker.violations(),
        checker.starts(),
        checker.stops(),
        (int) cluster.log().stream()
            .filter(write -> write.actor().startsWith(CONTROLLER))
            .count(),
        processes);
  }

  private Faults faultsNow() {
    return busy ? faults : Faults.NONE;
  }

  private ControllerProcess startProcess() {
    while (true) {
      processes++;
      try {
        checker.quotasAreKnown();
        return ControllerProcess.start(
            CONTROLLER + processes, cluster, clock, options, bug, this::faulty);
      } catch (ControllerKilled e) {
        // And again.
      }
    }
  }

  private ClusterWrites faulty(ClusterWrites writes) {
    return new FaultyWrites(writes, random, this::faultsNow, late);
  }

  /** Performs one action of some actor. */
  private void act() {
    int choice = random.nextInt(100);
    if (choice < 12) {
      cluster.create(StrictCluster.USER, queues.job());
    } else if (choice < 15) {
      withSomeJob(job -> cluster.delete(StrictCluster.USER, job.key()));
    } else if (choice < 18) {
      withSomeJob(this::edit);
    } else if (choice < 30) {
      withSomeJob(job -> sync(job.key()));
    } else if (choice < 38) {
      withSomeJob(job -> finish(job.key()));
    } else if (choice < 40) {
      cluster.collectGarbage();
    } else if (choice < 42) {
      changeQuota();
    } else if (choice < 45) {
      clock.advance(Duration.ofSeconds(random.nextInt(90)));
    } else if (choice < 47) {
      replaceLeader();
    } else if (choice < 49 && !late.isEmpty()) {
      late.remove(random.nextInt(late.size())).run();
    } else if (choice < 75) {
      tellSome();
    } else {
      stepLeader();
    }
  }

  private void withSomeJob(Consumer<JobView> action) {
    List<JobView> all = checker.jobs();
    if (!all.isEmpty()) {
      action.accept(all.get(random.nextInt(all.size())));
    }
  }

  /** A user edits labels, or the number of pods of a Job. */
  private void edit(JobView job) {
    int choice = random.nextInt(3);
    cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, job.key(), tree -> {
      ObjectNode labels = Trees.child(tree, "metadata", "labels");
      if (choice == 0) {
        labels.put("kueue.x-k8s.io/priority-class", random.nextBoolean() ? "low" : "high");
      } else if (choice == 1 && job.isManaged()) {
        labels.put("kueue.x-k8s.io/queue-name", queues.someLocalQueue());
      } else if (choice == 2 && job.key().kind().equals("Job")) {
        Trees.child(tree, "spec").put("parallelism", 1 + random.nextInt(3));
      }
    });
  }

  private void sync(ObjectKey key) {
    if (key.kind().equals("Job")) {
      jobs.sync(key);
    } else {
      jobSets.sync(key);
      jobSets.children(key).forEach(jobs::sync);
      jobSets.sync(key);
    }
  }

  /** Finishes all its pods at once; no effect if it does not run. */
  private void finish(ObjectKey key) {
    boolean success = random.nextInt(4) > 0;
    if (key.kind().equals("Job")) {
      jobs.finish(key, success);
    } else if (jobSets.children(key).stream().allMatch(jobs::hasPods)) {
      jobSets.children(key).forEach(child -> jobs.finish(child, success));
      jobSets.sync(key);
    }
  }

  private void changeQuota() {
    ObjectKey key = new ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", queues.someClusterQueue());
    cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        key,
        tree -> Trees.child(tree, "spec")
            .set(
                "resourceGroups",
                Trees.parse("{\"a\":" + queues.otherQuotas() + "}").get("a")));
  }

  private void tellSome() {
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      if (Faults.happens(random, faults.repeated())) {
        leader.tell(leader.watch().repeat(random));
      }
      if (Faults.happens(random, faults.relisted())) {
        leader.watch().relist();
      }
      leader.tell(
          Faults.happens(random, faults.reordered())
              ? leader.watch().nextOfAny(random)
              : leader.watch().next());
    }
    forgetOldQuotas();
  }

  private void forgetOldQuotas() {
    if (leader.watch().isEmpty()) {
      checker.quotasAreKnown();
    }
  }

  private void stepLeader() {
    try {
      leader.step();
    } catch (ControllerKilled e) {
      leader.close();
      excuseLate();
      leader = startProcess();
    }
  }

  /** Another leader; the old one may not know yet that it no longer is. */
  private void replaceLeader() {
    ControllerProcess old = leader;
    boolean overlap = Faults.happens(random, overlapPercent);
    excuseLate();
    if (overlap) {
      checker.excuse(old.name());
    }
    leader = startProcess();
    if (overlap) {
      try {
        stepLeader();
        old.step();
        clock.advance(Duration.ofSeconds(2));
        old.step();
      } catch (ControllerKilled e) {
        // Now it is.
      }
    }
    old.close();
  }

  /** The pending writes of an ended process are unknown. */
  private void excuseLate() {
    if (!late.isEmpty()) {
      checker.excuse(leader.name());
    }
  }

  /** Until no job can run any more. */
  private void drain() {
    settle();
    while (checker.violations().isEmpty()) {
      checker.checkQuiet();
      List<JobView> running = checker.jobs().stream()
          .filter(job -> !job.hasEnded() && !job.isSuspended())
          .toList();
      if (running.isEmpty()) {
        break;
      }
      running.forEach(job -> finish(job.key()));
      settle();
    }
    if (checker.violations().isEmpty()) {
      checker.checkNoneLost();
    }
  }

  /** Lets all actors act until none does anything. */
  private void settle() {
    for (int round = 0; round < QUIET_ROUNDS; round++) {
      int before = cluster.log().size();
      leader.tellAll();
      forgetOldQuotas();
      leader.step();
      checker.jobs().forEach(job -> sync(job.key()));
      cluster.collectGarbage();
      boolean quiet = cluster.log().size() == before && leader.watch().isEmpty();
      Instant next = leader.next();
      if (quiet && !next.isBefore(clock.instant().plus(Duration.ofHours(1)))) {
        return;
      }
      if (quiet || next.isAfter(clock.instant())) {
        Duration wait = Duration.between(clock.instant(), next);
        clock.advance(
            wait.compareTo(Duration.ofSeconds(1)) < 0 || wait.compareTo(Duration.ofHours(1)) > 0
                ? Duration.ofSeconds(1)
                : wait);
      }
      if (!checker.violations().isEmpty()) {
        return;
      }
    }
    checker
        .violations()
        .add("the cluster does not come to rest; last: "
            + cluster
                .log()
                .subList(Math.max(0, cluster.log().size() - 12), cluster.log().size()));
  }
}
