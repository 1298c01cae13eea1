package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.ApiWrite;
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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * One life of a cluster with groups of pods, all of it decided by a seed. The creator of a group
 * makes its pods one by one, and others for those that fail or are deleted, until all have
 * succeeded.
 *
 * <p>Checked are pods alone: with the first pod that may run, a group takes the quota of all its
 * pods that have not succeeded.
 */
final class GroupFaultRun {
  private static final String MAKER = "maker";
  private static final String KUBELET = "kubelet";
  private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
  private static final String GATE = "kueue.x-k8s.io/admission";
  private static final String HOLD = "test/hold";
  private static final int QUOTA = 4;
  private static final int QUIET_ROUNDS = 400;

  private final Random random;
  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_36, clock);
  private final ControllerOptions options = ControllerOptions.defaults()
      .withSettings(Settings.builder().strictQuota(true).build());
  private final Map<String, Group> groups = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private final PlantedBug bug;
  private Faults faults;
  private int pods;
  private int starts;
  private ControllerProcess leader;

  private record Group(String name, int size, int cpus, String priority) {}

  /** What came of a run. */
  record Result(List<String> violations, int starts) {}

  private GroupFaultRun(long seed, PlantedBug bug) {
    this.random = new Random(seed);
    this.bug = bug;
    Faults all = Faults.of(random);
    // A late write of a process that is no more cannot be counted on by anybody.
    faults = new Faults(
        all.killBefore(),
        all.killAfter(),
        all.unavailable(),
        all.unanswered(),
        0,
        all.refused(),
        all.repeated(),
        all.reordered(),
        all.relisted());
    for (String object : List.of("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
         "metadata": {"name": "f"}, "spec": {"nodeLabels": {"pool": "f"}}}
        """, """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
         "metadata": {"name": "high"}, "value": 10}
        """, """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
         "metadata": {"name": "lq", "namespace": "default"}, "spec": {"clusterQueue": "cq"}}
        """, """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
         "metadata": {"name": "cq"},
         "spec": {"namespaceSelector": {}, "preemption": {"withinClusterQueue": "LowerPriority"},
           "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
             {"name": "f", "resources": [{"name": "cpu", "nominalQuota": "%d"}]}]}]}}
        """.formatted(QUOTA))) {
      cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(object)));
    }
    cluster.watch(this::check);
    leader = startProcess();
  }

  /** {@return the result of the run of a seed} */
  static Result of(long seed, PlantedBug bug) {
    return new GroupFaultRun(seed, bug).run();
  }

  /** Runs a seed and prints every write. */
  static void trace(long seed) {
    GroupFaultRun run = new GroupFaultRun(seed, PlantedBug.NONE);
    FaultRunMain.print(run.cluster, run.clock);
    run.run().violations().forEach(System.out::println);
  }

  private ControllerProcess startProcess() {
    while (true) {
      try {
        return ControllerProcess.start("controller", cluster, clock, options, bug, this::faulty);
      } catch (ControllerKilled e) {
        // And again.
      }
    }
  }

  private ClusterWrites faulty(ClusterWrites writes) {
    return new FaultyWrites(writes, random, () -> faults, new ArrayList<>());
  }

  private Result run() {
    int steps = 60 + random.nextInt(100);
    for (int i = 0; i < steps && violations.isEmpty(); i++) {
      act();
    }
    faults = Faults.NONE;
    for (int round = 0; round < 2 * groups.size() + 2 && violations.isEmpty(); round++) {
      settle();
      checkQuiet();
      livePods().stream().filter(pod -> !isGated(pod)).forEach(pod -> end(pod, "Succeeded"));
    }
    if (violations.isEmpty() && !livePods().isEmpty()) {
      violations.add("in the end, pods never ran: " + livePods());
    }
    leader.close();
    return new Result(violations, starts);
  }

  private void act() {
    int choice = random.nextInt(100);
    if (choice < 5 && groups.size() < 6) {
      String name = "g" + groups.size();
      groups.put(
          name,
          new Group(
              name,
              1 + random.nextInt(3),
              1,
              random.nextInt(3) == 0 ? ", \"kueue.x-k8s.io/priority-class\": \"high\"" : ""));
    } else if (choice < 30) {
      groups.values().forEach(group -> {
        if (random.nextBoolean()) {
          makeOne(group);
        }
      });
    } else if (choice < 38) {
      withSomePod(pod -> end(pod, random.nextInt(3) == 0 ? "Failed" : "Succeeded"));
    } else if (choice < 41) {
      withSomePod(pod -> cluster.delete(StrictCluster.USER, ObjectKey.of(pod)));
    } else if (choice < 50) {
      letGo();
      cluster.collectGarbage();
    } else if (choice < 53) {
      clock.advance(Duration.ofSeconds(random.nextInt(60)));
    } else if (choice < 55) {
      leader.close();
      leader = startProcess();
    } else if (choice < 78) {
      tellSome();
    } else {
      step();
    }
  }

  private void withSomePod(java.util.function.Consumer<ObjectNode> action) {
    List<ObjectNode> live = livePods();
    if (!live.isEmpty()) {
      action.accept(live.get(random.nextInt(live.size())));
    }
  }

  private void tellSome() {
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
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
  }

  private void step() {
    try {
      leader.step();
    } catch (ControllerKilled e) {
      leader.close();
      leader = startProcess();
    }
  }

  /** Makes a pod of a group that has not as many as it is to have. */
  private void makeOne(Group group) {
    long present = allPods().stream()
        .filter(pod -> group(pod).equals(group.name()))
        .filter(pod -> isLive(pod) || phase(pod).equals("Succeeded"))
        .count();
    if (present >= group.size()) {
      return;
    }
    pods++;
    cluster.create(MAKER, Trees.toObject(Trees.parse("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "p%03d", "namespace": "default", "finalizers": [%s],
           "labels": {"kueue.x-k8s.io/queue-name": "lq"%s},
           "annotations": {"%s": "%s", "kueue.x-k8s.io/pod-group-total-count": "%d"}},
         "spec": {"restartPolicy": "Never", "schedulingGates": [{"name": "%s"}],
           "containers": [{"name": "main", "image": "sleep:1",
             "resources": {"requests": {"cpu": "%d"}}}]}}
        """.formatted(
            pods,
            random.nextInt(3) == 0 ? "\"" + HOLD + "\"" : "",
            group.priority(),
            GROUP,
            group.name(),
            group.size(),
            GATE,
            group.cpus()))));
  }

  /**
   * A pod ends that runs. One that is about to go has failed: of one that has succeeded and is gone
   * was unknown to all.
   */
  private void end(ObjectNode pod, String wanted) {
    String phase = pod.at("/metadata").has("deletionTimestamp") ? "Failed" : wanted;
    if (!isGated(pod)) {
      cluster.edit(
          KUBELET,
          ApiWrite.Verb.REPLACE_STATUS,
          ObjectKey.of(pod),
          tree -> Trees.child(tree, "status").put("phase", phase));
    }
  }

  /** Pods that are being deleted are gone. */
  private void letGo() {
    for (ObjectNode pod : allPods()) {
      if (pod.at("/metadata").has("deletionTimestamp")) {
        cluster.edit(
            KUBELET,
            ApiWrite.Verb.REPLACE,
            ObjectKey.of(pod),
            tree -> Trees.child(tree, "metadata").remove("finalizers"));
      }
    }
  }

  private void settle() {
    for (int round = 0; round < QUIET_ROUNDS; round++) {
      int before = cluster.log().size();
      leader.tellAll();
      leader.step();
      letGo();
      cluster.collectGarbage();
      groups.values().forEach(this::makeOne);
      Instant next = leader.next();
      boolean quiet = cluster.log().size() == before && leader.watch().isEmpty();
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
    }
    violations.add("the cluster does not come to rest");
  }

  private void check(ApiWrite write) {
    if (!write.key().kind().equals("Pod") || !write.actor().equals("controller")) {
      return;
    }
    if (write.after() != null && isGated(write.before()) && !isGated(write.after())) {
      starts++;
      if (!isRecorded(write.after())) {
        violations.add(write + ": a pod was started without a recorded admission");
      }
      if (!write.after().at("/spec/nodeSelector/pool").asText().equals("f")) {
        violations.add(write + ": a pod was started without the labels of its flavor");
      }
    }
    if (usage() > QUOTA) {
      violations.add(write + ": " + usage() + " CPUs are taken of " + QUOTA);
    }
  }

  private boolean isRecorded(JsonNode pod) {
    String uid = pod.at("/metadata/uid").asText();
    return cluster.trees("Workload").stream()
        .anyMatch(workload -> workload.at("/metadata/name").asText().equals(group(pod))
            && workload.at("/status").has("admission")
            && workload.at("/metadata/ownerReferences").findValuesAsText("uid").contains(uid));
  }

  private int usage() {
    int usage = 0;
    for (Group group : groups.values()) {
      List<ObjectNode> own =
          allPods().stream().filter(pod -> group(pod).equals(group.name())).toList();
      if (own.stream().anyMatch(pod -> isLive(pod) && !isGated(pod))) {
        long succeeded =
            own.stream().filter(pod -> phase(pod).equals("Succeeded")).count();
        usage += (group.size() - (int) succeeded) * group.cpus();
      }
    }
    return usage;
  }

  private void checkQuiet() {
    int waiting = Integer.MAX_VALUE;
    for (Group group : groups.values()) {
      List<ObjectNode> own =
          livePods().stream().filter(pod -> group(pod).equals(group.name())).toList();
      long gated = own.stream().filter(GroupFaultRun::isGated).count();
      if (gated > 0 && gated < own.size()) {
        violations.add("at rest, some pods of a group run and others wait: " + own);
      }
      if (gated > 0) {
        waiting = Math.min(waiting, own.size() * group.cpus());
      }
    }
    if (waiting <= QUOTA - usage()) {
      violations.add("at rest, a group waits that fits: " + livePods());
    }
  }

  private List<ObjectNode> allPods() {
    return cluster.trees("Pod");
  }

  private List<ObjectNode> livePods() {
    return allPods().stream().filter(GroupFaultRun::isLive).toList();
  }

  private static boolean isLive(JsonNode pod) {
    return phase(pod).matches("Pending|Running");
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText();
  }

  private static String group(JsonNode pod) {
    return pod.at("/metadata/annotations").path(GROUP).asText();
  }

  private static boolean isGated(@org.jspecify.annotations.Nullable JsonNode pod) {
    return pod != null
        && pod.at("/spec/schedulingGates").findValuesAsText("name").contains(GATE);
  }
}
