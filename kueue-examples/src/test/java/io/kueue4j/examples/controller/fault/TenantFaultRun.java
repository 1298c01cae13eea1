package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSetSimulator;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.simulation.VirtualClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a cluster that an innocent and a {@link HostileTenant} share, decided by a seed, with
 * {@link Faults} and with times without a controller.
 *
 * <p>Now and then the faults stop. After a controller has then worked for {@link #LIMIT}, no more
 * pods run than the quotas allow, whatever the tenant did. In the end all jobs of the innocent have
 * run, and none was stopped or started twice without need.
 *
 * <p>With several writers, the order of concurrent writes varies from run to run.
 */
final class TenantFaultRun {
  /** After this time with a controller and without faults, the quotas hold. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final String CONTROLLER = "controller-";
  /** The actor that answers admission checks. */
  static final String CHECKS = "checks";

  /** The actor that deletes pods that have ended. */
  private static final String POD_COLLECTOR = "pod-garbage-collector";

  private static final int ROUNDS = 300;

  private final Random random;
  private final PlantedBug bug;
  private final int writers;
  private final boolean preempts;
  private final int queueCount;
  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster;
  private final JobSimulator jobs;
  private final JobSetSimulator jobSets;
  private final ServingSimulator serving;
  private final RunningPods pods;
  private final InnocentJobs innocent;
  private final HostileTenant tenant;
  private final Faults faults;
  private final List<String> violations = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private boolean busy = true;
  private int processes;
  private int attacks;
  private @Nullable ControllerProcess leader;

  private TenantFaultRun(long seed, boolean hasChecks, PlantedBug bug) {
    random = new Random(seed);
    this.bug = bug;
    writers = seed % 4 == 3 ? 3 : 1;
    ServerVersion version =
        random.nextInt(2) == 0 ? ServerVersion.KUBERNETES_1_35 : ServerVersion.KUBERNETES_1_36;
    cluster = StrictCluster.create(version, clock);
    jobs = new JobSimulator(cluster, version, clock);
    jobSets = new JobSetSimulator(cluster);
    pods = new RunningPods(cluster);
    preempts = random.nextInt(3) == 0;
    queueCount = 1 + random.nextInt(2);
    new TenantQueues(cluster, random, hasChecks, preempts, queueCount).create();
    serving = new ServingSimulator(cluster);
    tenant = new HostileTenant(random, cluster);
    faults = Faults.of(random);
    boolean startsOnce = !preempts && !hasChecks && faults.late() == 0;
    innocent = new InnocentJobs(cluster, actor -> actor.startsWith(CONTROLLER), startsOnce);
  }

  /** The result of a run. */
  record Result(List<String> violations, int attacks, int starts, int processes) {}

  /**
   * {@return the result of the run of a seed}
   *
   * @param hasChecks whether another program answers an admission check
   */
  static Result of(long seed, boolean hasChecks, PlantedBug bug) {
    return new TenantFaultRun(seed, hasChecks, bug).run();
  }

  /** Runs a seed and prints every write. */
  static void trace(long seed, boolean hasChecks, PlantedBug bug) {
    TenantFaultRun run = new TenantFaultRun(seed, hasChecks, bug);
    FaultRunMain.print(run.cluster, run.clock);
    run.run().violations().forEach(System.out::println);
  }

  // ----- the controller

  private ControllerProcess leader() {
    while (leader == null) {
      processes++;
      try {
        leader = ControllerProcess.start(
            CONTROLLER + processes,
            cluster,
            clock,
            ControllerOptions.defaults()
                .withSettings(Settings.builder().strictQuota(true).build()),
            bug,
            writers,
            writes -> new FaultyWrites(writes, random, () -> busy ? faults : Faults.NONE, late));
      } catch (ControllerKilled e) {
        // And again.
      }
    }
    return leader;
  }

  /** Kills the controller; what it has written takes effect before another one can lead. */
  private void kill() {
    if (leader != null) {
      leader.close();
      leader = null;
      late.forEach(Runnable::run);
      late.clear();
    }
  }

  private void step() {
    try {
      leader().step();
      leader().defects().forEach(violations::add);
    } catch (ControllerKilled e) {
      kill();
    } catch (RuntimeException | AssertionError e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      violations.add("a defect: " + text);
    }
  }

  private void tellSome() {
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      if (Faults.happens(random, faults.repeated())) {
        leader().tell(leader().watch().repeat(random));
      }
      if (Faults.happens(random, faults.relisted())) {
        leader().watch().relist();
      }
      leader()
          .tell(
              Faults.happens(random, faults.reordered())
                  ? leader().watch().nextOfAny(random)
                  : leader().watch().next());
    }
  }

  // ----- one life

  private Result run() {
    int steps = 60 + random.nextInt(100);
    for (int i = 1; i <= steps && violations.isEmpty(); i++) {
      act();
      if (i % 30 == 0) {
        calmDown();
      }
    }
    if (violations.isEmpty()) {
      drain();
    }
    kill();
    violations.addAll(innocent.violations());
    return new Result(violations, attacks, innocent.starts(), processes);
  }

  private void act() {
    int choice = random.nextInt(100);
    if (choice < 9) {
      cluster.create(StrictCluster.USER, innocent.create(random, queueCount, preempts));
    } else if (choice < 18) {
      createHostile();
    } else if (choice < 19) {
      some(innocent.keys(), key -> cluster.delete(StrictCluster.USER, key));
    } else if (choice < 42) {
      attack();
    } else if (choice < 54) {
      some(roots(), this::sync);
    } else if (choice < 58) {
      some(roots(), key -> finish(key, random.nextInt(4) > 0));
    } else if (choice < 60) {
      serving.sync();
      cluster.collectGarbage();
    } else if (choice < 63) {
      clock.advance(Duration.ofSeconds(random.nextInt(90)));
    } else if (choice < 66) {
      kill();
    } else if (choice < 68 && !late.isEmpty()) {
      late.remove(random.nextInt(late.size())).run();
    } else if (choice < 72) {
      answerSome();
    } else if (choice < 76) {
      awayFor(1 + random.nextInt(6));
    } else if (choice < 88) {
      tellSome();
    } else {
      step();
    }
  }

  private void createHostile() {
    ObjectNode tree = Trees.of(innocent.create(random, 2, preempts));
    ObjectNode metadata = Trees.child(tree, "metadata");
    metadata.put("namespace", HostileTenant.NAMESPACE);
    Trees.child(tree, "spec").put("suspend", random.nextInt(3) > 0);
    // So that its parts can be enlarged.
    if (tree.at("/spec/replicatedJobs/0/template/spec") instanceof ObjectNode part) {
      part.remove("completions");
    }
    cluster.create(HostileTenant.ACTOR, Trees.toObject(tree));
  }

  private void attack() {
    int attack = tenant.choose();
    boolean needsWitness = HostileTenant.needsWitness(attack);
    if (needsWitness) {
      // A controller has seen the pod wait.
      calmDown();
    }
    attacks++;
    tenant.perform(attack);
    if (needsWitness) {
      calmDown();
    }
  }

  /** Others act while no controller runs. */
  private void awayFor(int actions) {
    kill();
    for (int i = 0; i < actions; i++) {
      int attack = tenant.choose();
      if (!HostileTenant.needsWitness(attack)) {
        attacks++;
        tenant.perform(attack);
      }
      some(roots(), this::sync);
      if (random.nextInt(4) == 0) {
        some(roots(), key -> finish(key, true));
      }
    }
  }

  private List<ObjectKey> roots() {
    return cluster.keys(key ->
        JobView.isJob(key) && !new JobView(Objects.requireNonNull(cluster.tree(key))).isChild());
  }

  private void some(List<ObjectKey> keys, Consumer<ObjectKey> action) {
    if (!keys.isEmpty()) {
      action.accept(keys.get(random.nextInt(keys.size())));
    }
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

  private void finish(ObjectKey key, boolean success) {
    if (key.kind().equals("Job")) {
      // A tenant may have suspended it meanwhile.
      ObjectNode job = cluster.tree(key);
      if (job != null && job.at("/status").has("startTime")) {
        jobs.finish(key, success);
      }
    } else if (jobSets.hasLostJob(key)) {
      cluster.delete(HostileTenant.ACTOR, key);
    } else if (jobSets.children(key).stream().allMatch(this::mayEnd)) {
      jobSets.children(key).forEach(child -> jobs.finish(child, success));
      jobSets.sync(key);
    }
  }

  private boolean mayEnd(ObjectKey child) {
    return jobs.hasPods(child)
        || JobSimulator.hasEnded(Objects.requireNonNull(cluster.tree(child)));
  }

  // ----- checks

  private void answerSome() {
    some(
        cluster.keys(key -> key.kind().equals("Workload")),
        key -> answer(
            key,
            switch (random.nextInt(8)) {
              case 0 -> "Retry";
              case 1 -> key.namespace().equals(HostileTenant.NAMESPACE) ? "Rejected" : "Pending";
              default -> "Ready";
            }));
  }

  private void answer(ObjectKey key, String state) {
    ObjectNode workload = Objects.requireNonNull(cluster.tree(key), key.toString());
    if (workload.at("/status/admissionChecks").isEmpty()
        || !workload.at("/status").has("admission")
        || Trees.hasCondition(workload, "Evicted")) {
      return;
    }
    cluster.edit(CHECKS, ApiWrite.Verb.REPLACE_STATUS, key, tree -> {
      for (JsonNode check : tree.at("/status/admissionChecks")) {
        if (!check.path("state").asText().equals(state)) {
          ((ObjectNode) check)
              .put("state", state)
              .put("message", "")
              .put("lastTransitionTime", clock.instant().toString());
        }
      }
    });
  }

  /** Answers everything that waits for an answer. */
  private void answerAll() {
    for (ObjectNode workload : cluster.trees("Workload")) {
      for (JsonNode check : workload.at("/status/admissionChecks")) {
        if (check.path("state").asText().equals("Pending")) {
          answer(ObjectKey.of(workload), "Ready");
        }
      }
    }
  }

  // ----- without faults

  /** Lets a controller work for a while without faults, and compares what runs with the quotas. */
  private void calmDown() {
    busy = false;
    late.forEach(Runnable::run);
    late.clear();
    settle(LIMIT);
    pods.violations(Set.of(HostileTenant.NAMESPACE), "cq1").forEach(violations::add);
    busy = true;
  }

  /** Lets all act until none does anything before the time has passed. */
  private void settle(Duration time) {
    Instant end = clock.instant().plus(time);
    for (int round = 0; round < ROUNDS && violations.isEmpty(); round++) {
      int before = cluster.log().size();
      leader().tellAll();
      step();
      roots().forEach(this::sync);
      serving.sync();
      cluster.collectGarbage();
      answerAll();
      boolean quiet = cluster.log().size() == before && leader().watch().isEmpty();
      Instant next = leader().next();
      if (quiet && next.isAfter(end)) {
        clock.advance(Duration.between(clock.instant(), end));
        return;
      }
      if (quiet) {
        Duration wait = Duration.between(clock.instant(), next);
        clock.advance(wait.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : wait);
      }
    }
    if (!violations.isEmpty()) {
      return;
    }
    violations.add("the cluster does not come to rest; last: "
        + cluster
            .log()
            .subList(Math.max(0, cluster.log().size() - 12), cluster.log().size()));
  }

  /** Lets everything that runs end, until all jobs of the innocent have. */
  private void drain() {
    busy = true;
    for (int round = 0; violations.isEmpty(); round++) {
      calmDown();
      busy = false;
      settle(Duration.ofHours(1));
      if (innocent.unfinished().isEmpty()) {
        return;
      }
      if (round > innocent.count() + attacks) {
        violations.add("in the end, jobs were never run: " + innocent.unfinished());
      }
      roots().forEach(key -> finish(key, true));
      endPods();
    }
  }

  /** {@return whether the owner of a pod ends it} */
  private boolean isKept(ObjectNode pod) {
    List<String> owners = pod.at("/metadata/ownerReferences").findValuesAsText("uid");
    return cluster.trees(key -> true).stream()
        .anyMatch(owner ->
            owners.contains(owner.at("/metadata/uid").asText()) && !JobSimulator.hasEnded(owner));
  }

  /**
   * Ends all pods without an owner that would, and deletes those that have ended before: a group of
   * which a pod was deleted holds quota for another one, which its owner does not create any more.
   */
  private void endPods() {
    serving.end();
    for (ObjectNode pod : cluster.trees("Pod")) {
      if (isKept(pod)) {
        continue;
      }
      if (pod.at("/status/phase").asText().matches("Succeeded|Failed")) {
        cluster.delete(POD_COLLECTOR, ObjectKey.of(pod));
      } else if (pod.at("/spec/schedulingGates").isEmpty()) {
        cluster.edit(
            JobSimulator.ACTOR,
            ApiWrite.Verb.REPLACE_STATUS,
            ObjectKey.of(pod),
            tree -> Trees.child(tree, "status").put("phase", "Succeeded"));
      }
    }
  }
}
