package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random calls of an engine whose pods are placed on nodes, whose slices are placed in TPU pools,
 * and whose workloads may try several flavors concurrently.
 */
final class RandomPlacementCall {
  private static final int WORKLOADS = 10;

  /** Kinds of calls; those about workloads are frequent. */
  enum Kind {
    NODE,
    REMOVE_NODE,
    TOPOLOGY,
    POOLS,
    WINDOW,
    FLAVOR,
    QUEUE,
    SUBMIT,
    TRY,
    CYCLE,
    FINISH,
    NODE_FAILED,
    NODE_RECOVERED,
    PODS_STOPPED,
    SET_CHECK,
    EVICT
  }

  private static final List<Kind> OFTEN =
      List.of(Kind.SUBMIT, Kind.SUBMIT, Kind.TRY, Kind.CYCLE, Kind.CYCLE, Kind.FINISH, Kind.NODE);

  private RandomPlacementCall() {}

  static Kind next(Random random) {
    return random.nextBoolean()
        ? OFTEN.get(random.nextInt(OFTEN.size()))
        : Kind.values()[random.nextInt(Kind.values().length)];
  }

  static void begin(AdmissionEngine engine) {
    engine.apply(
        Topology.of("dc", Hosts.RACK, Topology.HOSTNAME),
        TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x8")),
        new AdmissionCheck("k", "c", true),
        Hosts.flavor("tas"),
        Hosts.flavor("tas2"),
        TpuSlices.flavor("tpu", "v6e"),
        ResourceFlavor.of("plain"),
        queue("hosts", "cpu", 20, "tas", "tas2"),
        queue("slices", ResourceNames.TPU, 64, "tpu"),
        ClusterQueue.builder()
            .from(queue("flavors", "cpu", 4, "plain", "tas"))
            .concurrentAdmissionPolicy(ConcurrentFlavors.TRY_PREFERRED)
            .build());
    List.of("hosts", "slices", "flavors")
        .forEach(name -> engine.apply(LocalQueue.of("ns", name, name)));
    IntStream.range(0, 3).forEach(i -> engine.apply(Hosts.host(host(i) + ":4")));
  }

  private static String host(int number) {
    return "r" + number % 2 + "/h" + number;
  }

  private static ClusterQueue queue(String name, String resource, int quota, String... flavors) {
    return ClusterQueue.builder()
        .name(name)
        .cohort("all")
        .namespaceSelector(LabelSelector.everything())
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build())
        .addResourceGroups(new ResourceGroup(
            ImmutableList.of(resource),
            ImmutableList.copyOf(flavors).stream()
                .map(flavor ->
                    FlavorQuotas.of(flavor, ResourceQuota.of(resource, String.valueOf(quota))))
                .collect(ImmutableList.toImmutableList())))
        .build();
  }

  static WorkloadId id(int number) {
    return WorkloadId.of("ns", "p" + number);
  }

  static List<WorkloadId> ids() {
    return IntStream.range(0, WORKLOADS).mapToObj(RandomPlacementCall::id).toList();
  }

  /** {@return the answer of the engine, an exception if it rejects the call} */
  static Object answerOf(AdmissionEngine engine, Operation<AdmissionEngine> operation) {
    try {
      return operation.on(engine);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      return refused;
    }
  }

  static Operation<AdmissionEngine> operation(Kind kind, Random random) {
    WorkloadId id = id(random.nextInt(WORKLOADS));
    String host = "h" + random.nextInt(4);
    return switch (kind) {
      case NODE -> apply(Hosts.host(host(random.nextInt(4)) + ":" + (1 + random.nextInt(5))));
      case TOPOLOGY ->
        random.nextBoolean()
            ? remove(Topology.class, "dc")
            : apply(Topology.of("dc", Hosts.RACK, Topology.HOSTNAME));
      case POOLS ->
        random.nextInt(3) == 0
            ? remove(TpuPoolSet.class, "v6e")
            : apply(
                TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", random.nextBoolean() ? "4x8" : "8x8")));
      case FLAVOR -> apply(random.nextBoolean() ? Hosts.flavor("tas2") : ResourceFlavor.of("tas2"));
      case QUEUE -> apply(changedQueue(random));
      case WINDOW ->
        random.nextInt(3) == 0
            ? remove(CapacityWindow.class, RandomWindows.name(random))
            : apply(RandomWindows.ofHost(host, random));
      case SUBMIT -> {
        Workload workload = workload(random);
        yield Operation.of("submit " + workload, engine -> engine.submit(workload));
      }
      case TRY -> {
        Workload workload = workload(random);
        yield Operation.of(
            "try " + workload,
            engine -> engine.tryAdmit(workload, TryAdmitOptions.evictingVictims()));
      }
      case SET_CHECK -> {
        AdmissionCheckState check = AdmissionCheckState.of(
            "k", random.nextInt(3) < 2 ? CheckState.READY : CheckState.RETRY);
        yield Operation.of(
            "set " + id + " " + check, engine -> engine.lifecycle().setCheck(id, check));
      }
      default -> otherOperation(kind, id, host);
    };
  }

  private static Operation<AdmissionEngine> otherOperation(Kind kind, WorkloadId id, String host) {
    return switch (kind) {
      case REMOVE_NODE -> remove(Node.class, host);
      case FINISH -> Operation.of("finish " + id, engine -> engine.finish(id));
      case NODE_FAILED ->
        Operation.of(
            "node " + host + " failed for " + id,
            engine -> engine.lifecycle().nodeFailed(id, host));
      case NODE_RECOVERED ->
        Operation.of(
            "node " + host + " recovered for " + id,
            engine -> engine.lifecycle().nodeRecovered(id, host));
      case PODS_STOPPED -> Operation.of("pods stopped of " + id, engine -> engine.podsStopped(id));
      case EVICT ->
        Operation.of(
            "evict " + id,
            engine -> engine.lifecycle().evict(id, EvictionReason.NODE_FAILURES, "test"));
      default -> Operation.of("cycle", AdmissionEngine::runCycle);
    };
  }

  private static Operation<AdmissionEngine> apply(ConfigObject object) {
    return Operation.run("apply " + object, engine -> engine.apply(object));
  }

  private static Operation<AdmissionEngine> remove(
      Class<? extends ConfigObject> type, String name) {
    return Operation.of(
        "remove " + type.getSimpleName() + " " + name, engine -> engine.remove(type, name));
  }

  private static ClusterQueue changedQueue(Random random) {
    ClusterQueue.Builder queue =
        ClusterQueue.builder().from(queue("hosts", "cpu", 10 * random.nextInt(3), "tas", "tas2"));
    if (random.nextBoolean()) {
      queue.admissionChecks(ImmutableList.of(new AdmissionCheckRule("k", ImmutableList.of())));
    }
    ClusterQueue flavors = queue("flavors", "cpu", 2 + random.nextInt(4), "tas", "plain");
    return random.nextBoolean()
        ? queue.build()
        : ClusterQueue.builder()
            .from(flavors)
            .concurrentAdmissionPolicy(ConcurrentFlavors.RETAIN_FIRST)
            .build();
  }

  private static Workload workload(Random random) {
    int number = random.nextInt(WORKLOADS);
    Workload.Builder workload = Workload.builder()
        .namespace("ns")
        .name(id(number).name())
        .priority(random.nextInt(3))
        .creationTime(Cluster.START);
    return switch (number % 3) {
      case 0 ->
        workload
            .queueName("slices")
            .addPodSets(TpuSlices.pods("main", number % 2 == 0 ? "2x4" : "4x4", 1))
            .build();
      case 1 ->
        workload
            .queueName("hosts")
            .addPodSets(Hosts.pods(
                    1 + number % 4,
                    "1",
                    number % 2 == 0
                        ? TopologyRequest.required(Hosts.RACK)
                        : TopologyRequest.anywhere())
                .build())
            .build();
      default ->
        workload
            .queueName("flavors")
            .addPodSets(
                PodSet.builder().count(1 + number % 3).request("cpu", "1").build())
            .build();
    };
  }
}
