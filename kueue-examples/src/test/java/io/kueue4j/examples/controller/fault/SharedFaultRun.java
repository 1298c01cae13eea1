package io.kueue4j.examples.controller.fault;

import io.kueue4j.examples.controller.Recording;
import io.kueue4j.examples.controller.SharedReplica;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.StrictSecretStore;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.lease.MemoryLeases;
import io.kueue4j.examples.controller.seal.SealSecret;
import io.kueue4j.examples.controller.seal.Sealing;
import io.kueue4j.examples.simulation.VirtualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One life of a cluster with several replicas that share the work, all of it decided by a seed.
 *
 * <p>Replicas join, leave, are killed and are cut off, hear of the cluster late, and their clocks
 * pass without renewals; either queues borrow in their cohorts, or they move from one to another.
 */
final class SharedFaultRun {
  private static final String CONTROLLER = "controller-";
  private static final int QUEUES = 8;
  private static final int COHORTS = 4;
  private static final int QUIET_ROUNDS = 300;

  private final Random random;
  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_36, clock);
  private final JobSimulator jobs = new JobSimulator(cluster, ServerVersion.KUBERNETES_1_36, clock);
  private final ClusterChecker checker;
  private final MemoryLeases leases = new MemoryLeases();
  private final List<SharedReplica> replicas = new ArrayList<>();
  private final List<SharedReplica> all = new ArrayList<>();
  private final boolean queuesMove;
  private final Recording recording;
  private int jobCount;
  private int moves;

  private SharedFaultRun(long seed, boolean inWorkloads) {
    random = new Random(seed);
    checker = new ClusterChecker(
        cluster, clock, job -> false, inWorkloads, actor -> actor.startsWith(CONTROLLER));
    queuesMove = random.nextBoolean();
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
         "metadata": {"name": "f0"}, "spec": {"nodeLabels": {"pool": "f0"}}}
        """);
    for (int i = 0; i < QUEUES; i++) {
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
           "metadata": {"name": "cq%d"},
           "spec": {"namespaceSelector": {}, "cohortName": "c%d",
             "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
               {"name": "f0", "resources": [{"name": "cpu", "nominalQuota": "%d"%s}]}]}]}}
          """.formatted(
          i, i % COHORTS, 1 + random.nextInt(4), queuesMove ? ",\"borrowingLimit\": \"0\"" : ""));
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
           "metadata": {"name": "lq%d", "namespace": "default"},
           "spec": {"clusterQueue": "cq%d"}}
          """.formatted(i, i));
    }
    recording = inWorkloads ? Recording.inWorkloadObjects() : inNotes();
    start();
    start();
  }

  private Recording inNotes() {
    return Recording.inNotes(Sealing.with(
        new SealSecret(new StrictSecretStore(cluster, "setup"), new SecureRandom(), clock)
            .look()
            .keys()
            .orElseThrow()));
  }

  /** The result of a run. */
  record Result(List<String> violations, int starts, int replicas, int moves) {}

  /** {@return the result of the run of a seed} */
  static Result of(long seed, boolean inWorkloads) {
    return new SharedFaultRun(seed, inWorkloads).run();
  }

  /** Runs a seed and prints every write. */
  static void trace(long seed, boolean inWorkloads) {
    SharedFaultRun run = new SharedFaultRun(seed, inWorkloads);
    run.cluster.watch(write -> System.out.println("  " + run.clock.instant() + " " + write + " "
        + (write.after() == null ? "" : write.after())));
    run.run().violations().forEach(System.out::println);
  }

  private void put(String json) {
    cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(json)));
  }

  private void start() {
    AtomicBoolean isCut = new AtomicBoolean();
    SharedReplica replica = new SharedReplica(
        CONTROLLER + all.size(), cluster, clock, leases.through(isCut), isCut, recording);
    replicas.add(replica);
    all.add(replica);
  }

  private Result run() {
    int steps = 200 + random.nextInt(300);
    for (int i = 0; i < steps && checker.violations().isEmpty(); i++) {
      act();
      checkHolders();
    }
    replicas.forEach(replica -> replica.isCut().set(false));
    drain();
    all.forEach(SharedReplica::close);
    return new Result(checker.violations(), checker.starts(), all.size(), moves);
  }

  private void act() {
    SharedReplica replica = replicas.get(random.nextInt(replicas.size()));
    if (replica.isLost()) {
      kill(replica);
      return;
    }
    int choice = random.nextInt(200);
    if (choice < 20) {
      createJob();
    } else if (choice < 26) {
      withSomeJob(job -> jobs.finish(job.key(), true));
    } else if (choice < 28) {
      withSomeJob(job -> cluster.delete(StrictCluster.USER, job.key()));
    } else if (choice < 45) {
      withSomeJob(job -> jobs.sync(job.key()));
    } else if (choice < 46) {
      kill(replica);
    } else if (choice < 48 && replicas.size() < 4) {
      start();
    } else if (choice < 49 && replicas.size() > 1) {
      replica.leave();
      replicas.remove(replica);
    } else if (choice < 52) {
      replica.isCut().set(!replica.isCut().get());
    } else if (choice < 55) {
      moveQueue();
    } else if (choice < 80) {
      clock.advance(Duration.ofMillis(random.nextInt(2500)));
    } else if (choice < 110) {
      replica.renew();
    } else if (choice < 130) {
      replica.round();
    } else if (choice < 165) {
      replica.hear(1 + random.nextInt(10), random);
    } else {
      replica.step();
    }
  }

  private void kill(SharedReplica replica) {
    replicas.remove(replica);
    start();
  }

  private void withSomeJob(Consumer<JobView> action) {
    List<JobView> present = checker.jobs();
    if (!present.isEmpty()) {
      action.accept(present.get(random.nextInt(present.size())));
    }
  }

  private void createJob() {
    int pods = 1 + random.nextInt(3);
    put("""
        {"apiVersion": "batch/v1", "kind": "Job",
         "metadata": {"name": "job%d", "namespace": "default",
           "labels": {"kueue.x-k8s.io/queue-name": "lq%d"}},
         "spec": {"suspend": true, "parallelism": %d, "completions": %d,
           "template": {"spec": {"restartPolicy": "Never",
           "containers": [{"name": "main", "image": "sleep:1",
             "resources": {"requests": {"cpu": "1"}}}]}}}}
        """.formatted(jobCount++, random.nextInt(QUEUES), pods, pods));
  }

  /** A queue joins another cohort; what it may use stays the same. */
  private void moveQueue() {
    if (queuesMove) {
      moves++;
      cluster.edit(
          StrictCluster.USER,
          ApiWrite.Verb.REPLACE,
          new ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "cq" + random.nextInt(QUEUES)),
          tree -> Trees.child(tree, "spec").put("cohortName", "c" + random.nextInt(COHORTS)));
    }
  }

  private void checkHolders() {
    Map<String, String> holders = new HashMap<>();
    for (SharedReplica replica : replicas) {
      for (String node : replica.held()) {
        String other = holders.put(node, replica.name());
        if (other != null) {
          checker.violations().add(node + " is held by " + other + " and " + replica.name());
        }
      }
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
      running.forEach(job -> jobs.finish(job.key(), true));
      settle();
    }
    if (checker.violations().isEmpty()) {
      checker.checkNoneLost();
    }
  }

  /** Lets all act until none does anything for longer than a lease lasts. */
  private void settle() {
    int quiet = 0;
    for (int round = 0; round < QUIET_ROUNDS && quiet < 20; round++) {
      int before = cluster.log().size();
      for (SharedReplica replica : List.copyOf(replicas)) {
        replica.renew();
        if (replica.isLost()) {
          kill(replica);
        }
        replica.hearAll();
        replica.round();
        replica.step();
      }
      checkHolders();
      checker.jobs().forEach(job -> jobs.sync(job.key()));
      cluster.collectGarbage();
      quiet = cluster.log().size() == before ? quiet + 1 : 0;
      clock.advance(Duration.ofSeconds(1));
      if (!checker.violations().isEmpty()) {
        return;
      }
    }
    if (quiet < 20) {
      checker.violations().add("the cluster does not come to rest");
    }
  }
}
