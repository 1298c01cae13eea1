package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A random call of an engine that does not depend on the state of the engine: the objects that it
 * names may not exist. So the same calls can be made of any engine, and none queries more than
 * necessary.
 *
 * @param kind the kind of call
 * @param operation the call with its arguments
 * @param time the time of the call
 */
record RandomCall(Kind kind, Operation<Moment> operation, Instant time) {
  private static final int QUEUES = 8;
  private static final int COHORTS = 5;
  private static final int LOCAL_QUEUES = 9;
  private static final int WORKLOADS = 20;

  /** An engine at the time of a call. */
  record Moment(AdmissionEngine engine, Instant time) {}

  enum Kind {
    APPLY_QUEUE,
    APPLY_QUEUE_AND_COHORT,
    REMOVE_QUEUE,
    APPLY_COHORT,
    REMOVE_COHORT,
    APPLY_LOCAL_QUEUE,
    REMOVE_LOCAL_QUEUE,
    APPLY_FLAVOR,
    REMOVE_FLAVOR,
    APPLY_NAMESPACE,
    REMOVE_NAMESPACE,
    APPLY_PRIORITY_CLASS,
    REMOVE_PRIORITY_CLASS,
    APPLY_WINDOW,
    REMOVE_WINDOW,
    SUBMIT,
    UPDATE,
    TRY,
    TRY_AND_EVICT,
    CYCLE,
    FINISH,
    DELETE,
    RELEASE,
    PODS_STOPPED,
    RECORDED,
    RESTORE,
    RESTORE_USAGE,
    TICK,
    NEXT_TICK,
    EXPLAIN,
    ADMISSION,
    PREEMPTED,
    APPLY_CHECK,
    REMOVE_CHECK,
    SET_CHECK,
    PODS_READY,
    RECLAIM,
    SET_ACTIVE,
    EVICT,
    REQUEUE,
    ON_HOLD,
    STATUS,
    LOOK,
    PRINT
  }

  private static final List<Kind> OFTEN = List.of(
      Kind.SUBMIT,
      Kind.SUBMIT,
      Kind.SUBMIT,
      Kind.TRY,
      Kind.CYCLE,
      Kind.CYCLE,
      Kind.CYCLE,
      Kind.FINISH,
      Kind.PODS_STOPPED,
      Kind.TRY_AND_EVICT,
      Kind.SET_CHECK,
      Kind.SET_CHECK,
      Kind.PODS_READY,
      Kind.RECLAIM,
      Kind.UPDATE);

  private static final List<Kind> BEGINNING = List.of(
      Kind.APPLY_QUEUE,
      Kind.APPLY_LOCAL_QUEUE,
      Kind.APPLY_LOCAL_QUEUE,
      Kind.APPLY_FLAVOR,
      Kind.APPLY_CHECK,
      Kind.APPLY_COHORT);

  static RandomCall next(Random random) {
    Kind kind = random.nextInt(3) < 2
        ? OFTEN.get(random.nextInt(OFTEN.size()))
        : Kind.values()[random.nextInt(Kind.values().length)];
    return of(kind, random);
  }

  /** {@return the calls that create the initial configuration of an engine} */
  static List<RandomCall> beginning(Choices choices) {
    return choices.list(40, each -> of(each.of(BEGINNING), each));
  }

  private static RandomCall of(Kind kind, Random random) {
    return new RandomCall(kind, operation(kind, random), Cluster.START);
  }

  /** {@return the same call at another time} */
  RandomCall at(Instant other) {
    return new RandomCall(kind, operation, other);
  }

  /** {@return the answer of the engine, as text} */
  @CanIgnoreReturnValue
  String callOn(AdmissionEngine engine) {
    return String.valueOf(answerOf(engine));
  }

  /** {@return the answer of the engine, an exception if it rejects the call} */
  Object answerOf(AdmissionEngine engine) {
    try {
      return operation.on(new Moment(engine, time));
    } catch (IllegalArgumentException | IllegalStateException refused) {
      return refused;
    }
  }

  @Override
  public String toString() {
    return operation.toString();
  }

  private static Operation<Moment> apply(ConfigObject... objects) {
    List<ConfigObject> applied = ImmutableList.copyOf(objects);
    return Operation.run(
        Scenario.of(new Step.Apply(applied)).toString().replaceFirst("^settings ", ""),
        moment -> moment.engine().apply(applied));
  }

  private static Operation<Moment> applyWindow(CapacityWindow window) {
    return Operation.run("apply " + window, moment -> moment.engine().apply(window));
  }

  private static Operation<Moment> remove(Class<? extends ConfigObject> type, String name) {
    return call("remove " + type.getSimpleName() + " " + name, engine -> engine.remove(type, name));
  }

  private static Operation<Moment> call(String text, Function<AdmissionEngine, ?> call) {
    return Operation.of(text, moment -> call.apply(moment.engine()));
  }

  private static Operation<Moment> ofId(
      String text, Random random, BiFunction<AdmissionEngine, WorkloadId, ?> call) {
    WorkloadId id = id(random);
    return call(text + " " + id.name(), engine -> call.apply(engine, id));
  }

  private static Operation<Moment> ofWorkload(
      String text, Random random, BiFunction<AdmissionEngine, Workload, ?> call) {
    Workload workload = workload(random);
    return call(text + " " + workload, engine -> call.apply(engine, workload));
  }

  private static Operation<Moment> operation(Kind kind, Random random) {
    return switch (kind) {
      case APPLY_QUEUE -> apply(queue(random));
      case APPLY_QUEUE_AND_COHORT -> apply(queue(random), cohort(random));
      case APPLY_COHORT -> apply(cohort(random));
      case APPLY_LOCAL_QUEUE -> apply(localQueue(random));
      case APPLY_FLAVOR -> apply(ResourceFlavor.of(flavor(random)));
      case APPLY_NAMESPACE -> apply(Namespace.of("ns"));
      case APPLY_PRIORITY_CLASS -> apply(new WorkloadPriorityClass("high", 1 + random.nextInt(5)));
      case APPLY_CHECK ->
        apply(new AdmissionCheck("k" + random.nextInt(2), "c", random.nextInt(8) < 7));
      case REMOVE_QUEUE -> remove(ClusterQueue.class, queueName(random));
      case REMOVE_COHORT -> remove(Cohort.class, cohortName(random));
      case REMOVE_LOCAL_QUEUE -> remove(LocalQueue.class, "ns/" + localQueueName(random));
      case REMOVE_FLAVOR -> remove(ResourceFlavor.class, flavor(random));
      case REMOVE_NAMESPACE -> remove(Namespace.class, "ns");
      case APPLY_WINDOW ->
        applyWindow(RandomWindows.ofQueue(queueName(random), flavor(random), random));
      case REMOVE_WINDOW -> remove(CapacityWindow.class, RandomWindows.name(random));
      case REMOVE_PRIORITY_CLASS -> remove(WorkloadPriorityClass.class, "high");
      case REMOVE_CHECK -> remove(AdmissionCheck.class, "k" + random.nextInt(2));
      case RESTORE -> restore(random);
      case RESTORE_USAGE -> restoreUsage(random);
      case SET_CHECK, PODS_READY, RECLAIM, SET_ACTIVE, EVICT, REQUEUE, ON_HOLD, STATUS ->
        ofLifecycle(kind, id(random), random);
      default -> otherOperation(kind, random);
    };
  }

  private static Operation<Moment> otherOperation(Kind kind, Random random) {
    return switch (kind) {
      case SUBMIT -> ofWorkload("submit", random, AdmissionEngine::submit);
      case UPDATE -> ofWorkload("update", random, AdmissionEngine::update);
      case TRY -> ofWorkload("try", random, AdmissionEngine::tryAdmit);
      case TRY_AND_EVICT ->
        ofWorkload(
            "try and evict",
            random,
            (engine, workload) -> engine.tryAdmit(workload, TryAdmitOptions.evictingVictims()));
      case FINISH -> ofId("finish", random, AdmissionEngine::finish);
      case DELETE -> ofId("delete", random, AdmissionEngine::delete);
      case RELEASE -> ofId("release", random, AdmissionEngine::release);
      case PODS_STOPPED -> ofId("pods stopped of", random, AdmissionEngine::podsStopped);
      case RECORDED ->
        ofId(
            "admission recorded of",
            random,
            (engine, id) -> engine.lifecycle().admissionRecorded(id));
      case EXPLAIN -> ofId("explain", random, AdmissionEngine::explain);
      case ADMISSION -> ofId("admission of", random, AdmissionEngine::admission);
      case PREEMPTED ->
        ofId(
            "preempted condition of", random, (engine, id) -> engine.lifecycle().preempted(id));
      case LOOK -> {
        String queue = queueName(random);
        yield call(
            "view " + queue,
            engine -> engine.view().clusterQueue(queue).map(EngineDescription::describe));
      }
      case PRINT -> call("print", AdmissionEngine::toString);
      case TICK -> call("tick", AdmissionEngine::tick);
      case NEXT_TICK -> call("next tick", AdmissionEngine::nextTick);
      default -> call("cycle", AdmissionEngine::runCycle);
    };
  }

  private static Operation<Moment> restoreUsage(Random random) {
    String queue = localQueueName(random);
    ImmutableSortedMap<String, BigDecimal> usage =
        ImmutableSortedMap.of("cpu", BigDecimal.valueOf(random.nextInt(1000)));
    return Operation.run(
        "restore usage of " + queue + " " + usage,
        moment -> moment
            .engine()
            .restoreConsumedUsage("ns", queue, new ConsumedUsage(usage, moment.time())));
  }

  private static Operation<Moment> ofLifecycle(Kind kind, WorkloadId id, Random random) {
    String name = " " + id.name();
    return switch (kind) {
      case SET_CHECK -> {
        AdmissionCheckState check = check(random);
        yield call("set" + name + " " + check, engine -> engine.lifecycle().setCheck(id, check));
      }
      case PODS_READY -> {
        boolean ready = random.nextInt(4) < 3;
        yield call(
            "pods ready of" + name + " " + ready,
            engine -> engine.lifecycle().setPodsReady(id, ready));
      }
      case RECLAIM -> {
        Map<String, Integer> pods =
            random.nextInt(8) == 0 ? Map.of() : Map.of("main", random.nextInt(4));
        yield call(
            "reclaim" + name + " " + pods,
            engine -> engine.lifecycle().setReclaimablePods(id, pods));
      }
      case SET_ACTIVE -> {
        boolean active = random.nextInt(3) < 2;
        yield call(
            "active" + name + " " + active, engine -> engine.lifecycle().setActive(id, active));
      }
      case EVICT -> {
        EvictionReason reason = pick(random, EvictionReason.values());
        yield call(
            "evict" + name + " " + reason,
            engine -> engine.lifecycle().evict(id, reason, "out of the blue"));
      }
      case REQUEUE ->
        call(
            "requeue" + name,
            engine -> engine.lifecycle().requeue(id, "Asked", "somebody asked for it"));
      case ON_HOLD -> {
        boolean hold = random.nextBoolean();
        yield call("on hold" + name + " " + hold, engine -> engine.lifecycle().setOnHold(id, hold));
      }
      case STATUS -> call("status of" + name, engine -> engine.lifecycle().status(id));
      default -> throw new AssertionError(kind);
    };
  }

  private static AdmissionCheckState check(Random random) {
    CheckState state = random.nextInt(3) < 2 ? CheckState.READY : pick(random, CheckState.values());
    AdmissionCheckState.Builder check =
        AdmissionCheckState.builder().name("k" + random.nextInt(2)).state(state);
    if (random.nextBoolean()) {
      check.requeueAfter(Duration.ofSeconds(random.nextInt(40)));
    }
    return check.build();
  }

  private static Operation<Moment> restore(Random random) {
    Workload workload = workload(random);
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue(queueName(random))
        .quotaReservedTime(Cluster.START);
    for (PodSet podSet : workload.podSets()) {
      PodSetAssignment.Builder assignment =
          PodSetAssignment.builder().name(podSet.name()).count(podSet.count());
      podSet
          .requests()
          .forEach((resource, amount) -> assignment
              // Names that may be unknown outside this fork get ids of their own in it.
              .putFlavors(resource, "f" + random.nextInt(6))
              .resourceUsageAmount(resource, amount * podSet.count()));
      admission.addPodSetAssignments(assignment.build());
    }
    Admission built = admission.build();
    return Operation.run(
        "restore " + workload + " with " + built,
        moment -> moment.engine().lifecycle().restore(workload, built));
  }

  static WorkloadId id(int number) {
    return WorkloadId.of("ns", "w" + number);
  }

  static List<WorkloadId> ids() {
    return IntStream.range(0, WORKLOADS).mapToObj(RandomCall::id).toList();
  }

  private static WorkloadId id(Random random) {
    return id(random.nextInt(WORKLOADS));
  }

  private static String queueName(Random random) {
    return "q" + random.nextInt(QUEUES);
  }

  private static String cohortName(Random random) {
    return "c" + random.nextInt(COHORTS);
  }

  private static String localQueueName(Random random) {
    return "l" + random.nextInt(LOCAL_QUEUES);
  }

  private static String flavor(Random random) {
    return "f" + random.nextInt(3);
  }

  private static LocalQueue localQueue(Random random) {
    LocalQueue open = LocalQueue.of("ns", localQueueName(random), queueName(random));
    return random.nextInt(8) > 0
        ? open
        : LocalQueue.builder()
            .from(open)
            .stopPolicy(pick(random, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN))
            .build();
  }

  private static ClusterQueue queue(Random random) {
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name(queueName(random))
        .namespaceSelector(LabelSelector.everything())
        .queueingStrategy(pick(random, QueueingStrategy.values()))
        .fairSharingWeight(1 + random.nextInt(3))
        .preemption(Preemption.builder()
            .withinClusterQueue(
                pick(random, Preemption.Policy.NEVER, Preemption.Policy.LOWER_PRIORITY))
            .reclaimWithinCohort(pick(random, Preemption.Policy.NEVER, Preemption.Policy.ANY))
            .build());
    if (random.nextInt(3) == 0) {
      queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
    }
    if (random.nextInt(8) == 0) {
      queue.stopPolicy(pick(random, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN));
    }
    if (random.nextInt(3) == 0) {
      queue.admissionChecks(ImmutableList.of(
          new AdmissionCheckRule("k0", ImmutableList.of()),
          new AdmissionCheckRule("k1", ImmutableList.of("f0"))));
    }
    if (random.nextInt(3) > 0) {
      queue.cohort(cohortName(random));
    }
    return queue.addResourceGroups(group(random)).build();
  }

  private static Cohort cohort(Random random) {
    int number = random.nextInt(COHORTS);
    Cohort.Builder cohort = Cohort.builder().name("c" + number);
    if (number > 0 && random.nextBoolean()) {
      cohort.parent("c" + random.nextInt(number));
    }
    if (random.nextBoolean()) {
      cohort.addResourceGroups(group(random));
    }
    return cohort.build();
  }

  private static ResourceGroup group(Random random) {
    FlavorQuotas first = quotas("f0", random);
    return random.nextBoolean()
        ? ResourceGroup.of(first)
        : ResourceGroup.of(first, quotas("f" + (1 + random.nextInt(2)), random));
  }

  private static FlavorQuotas quotas(String flavor, Random random) {
    return FlavorQuotas.of(
        flavor,
        ResourceQuota.ofAmount("cpu", 1000L * random.nextInt(6)),
        ResourceQuota.ofAmount("gpu", random.nextInt(6)));
  }

  private static Workload workload(Random random) {
    Workload.Builder workload = Workload.builder()
        .namespace("ns")
        .name(id(random).name())
        .queueName(localQueueName(random))
        .priority(random.nextInt(3))
        .active(random.nextInt(10) > 0);
    if (random.nextInt(4) > 0) {
      workload.creationTime(Cluster.START.plusSeconds(random.nextInt(3)));
    }
    if (random.nextInt(4) == 0) {
      workload.priorityClass("high");
    }
    workload.elastic(random.nextInt(3) == 0);
    if (random.nextInt(3) == 0) {
      workload.replaces(id(random));
    }
    if (random.nextInt(6) == 0) {
      workload.sliceName(id(random).name());
    }
    if (random.nextInt(6) == 0) {
      workload.maximumExecutionTime(Duration.ofSeconds(1 + random.nextInt(60)));
    }
    if (random.nextInt(3) > 0) {
      workload.expectedDuration(Duration.ofSeconds(1 + random.nextInt(90)));
    }
    return workload
        .addPodSets(PodSet.builder()
            .name("main")
            .count(1 + random.nextInt(3))
            .requestAmount("cpu", 500L * random.nextInt(4))
            .requestAmount("gpu", random.nextInt(3))
            .putAllRequests(otherRequests(random))
            .build())
        .build();
  }

  /** {@return mostly no requests, otherwise an amount of a resource that no queue has} */
  private static Map<String, Long> otherRequests(Random random) {
    return random.nextInt(8) > 0 ? Map.of() : Map.of("r" + random.nextInt(4), 1L);
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... from) {
    return from[random.nextInt(from.length)];
  }
}
