package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * An engine that is led through random steps, and the test's own knowledge of what it was told.
 *
 * <p>Four queues, the even ones StrictFIFO; three cohorts, each below one of lower number or a
 * root; two flavors of cpu and gpu. The {@code variant} of a step decides everything about the
 * object that it brings.
 */
final class EngineScenario {
  private static final int QUEUES = 4;
  private static final int COHORTS = 3;
  private static final String NAMESPACE = "ns";

  /** What a step does. */
  enum Action {
    APPLY_QUEUE,
    REMOVE_QUEUE,
    APPLY_COHORT,
    REMOVE_COHORT,
    SUBMIT,
    UPDATE,
    DELETE,
    FINISH,
    RELEASE,
    CYCLE,
    TRY_NEW,
    TRY_PENDING,
    RESTORE;

    /** {@return whether the engine decides in this step on who runs} */
    boolean decides() {
      return this == CYCLE || this == TRY_NEW || this == TRY_PENDING;
    }
  }

  /** One step; {@code target} chooses among what there is. */
  record Step(Action action, int target, int variant) {}

  final AdmissionEngine engine;
  final Map<String, ClusterQueue> queues = new TreeMap<>();
  final Map<String, Cohort> cohorts = new TreeMap<>();
  final Map<WorkloadId, Workload> workloads = new TreeMap<>();
  private int created;

  EngineScenario(Settings settings, int variant) {
    this(settings, variant, objects -> objects);
  }

  /** Starts with a configuration whose objects are applied in an order of choice. */
  EngineScenario(Settings settings, int variant, UnaryOperator<List<ConfigObject>> inOrder) {
    engine =
        AdmissionEngine.builder().clock(() -> Cluster.START).settings(settings).build();
    for (int i = 0; i < QUEUES; i++) {
      ClusterQueue queue = queueSpec(i, variant);
      queues.put(queue.name(), queue);
    }
    for (int i = 0; i < COHORTS; i++) {
      Cohort cohort = cohortSpec(i, variant);
      cohorts.put(cohort.name(), cohort);
    }
    engine.apply(inOrder.apply(configuration()));
  }

  /** {@return all configuration objects in force} */
  List<ConfigObject> configuration() {
    List<ConfigObject> objects = new ArrayList<>();
    objects.add(ResourceFlavor.of("f0"));
    objects.add(ResourceFlavor.of("f1"));
    objects.addAll(queues.values());
    objects.addAll(cohorts.values());
    for (int i = 0; i < QUEUES; i++) {
      objects.add(LocalQueue.of(NAMESPACE, "q" + i, "q" + i));
    }
    return objects;
  }

  static List<ConfigObject> shuffled(List<ConfigObject> objects, long seed) {
    List<ConfigObject> shuffled = new ArrayList<>(objects);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  EngineModel model() {
    return new EngineModel(queues.values(), cohorts.values(), workloads, running());
  }

  List<Admission> running() {
    return engine.view().clusterQueues().stream()
        .flatMap(queue -> queue.admitted().stream())
        .toList();
  }

  private List<WorkloadId> pending() {
    return workloads.keySet().stream()
        .filter(id -> engine.admission(id).isEmpty())
        .toList();
  }

  // ----- steps

  /** Does a step. {@return what came of it, in words} */
  String run(Step step) {
    return switch (step.action()) {
      case APPLY_QUEUE -> {
        ClusterQueue queue = queueSpec(step.target() % QUEUES, step.variant());
        engine.apply(queue);
        queues.put(queue.name(), queue);
        yield "";
      }
      case REMOVE_QUEUE -> removeQueue("q" + step.target() % QUEUES);
      case APPLY_COHORT -> {
        Cohort cohort = cohortSpec(step.target() % COHORTS, step.variant());
        engine.apply(cohort);
        cohorts.put(cohort.name(), cohort);
        yield "";
      }
      case REMOVE_COHORT -> {
        String name = "c" + step.target() % COHORTS;
        cohorts.remove(name);
        yield "" + engine.removeCohort(name);
      }
      case SUBMIT -> submitBurst(step);
      case UPDATE ->
        pick(List.copyOf(workloads.keySet()), step)
            .map(id -> update(id, step.variant()))
            .orElse("");
      case DELETE ->
        pick(List.copyOf(workloads.keySet()), step)
            .map(id -> forget(id, engine.delete(id)))
            .orElse("");
      case FINISH ->
        pick(runningIds(), step).map(id -> forget(id, engine.finish(id))).orElse("");
      case RELEASE ->
        pick(runningIds(), step).map(id -> forget(id, engine.release(id))).orElse("");
      case CYCLE -> engine.runCycle().toString();
      case TRY_NEW -> tryNew(newWorkload(step.variant()));
      case TRY_PENDING ->
        pick(pending(), step).map(id -> engine.tryAdmit(known(id)).toString()).orElse("");
      case RESTORE -> restore(step);
    };
  }

  private List<WorkloadId> runningIds() {
    return running().stream().map(Admission::workload).toList();
  }

  private static Optional<WorkloadId> pick(List<WorkloadId> ids, Step step) {
    return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(step.target() % ids.size()));
  }

  Workload known(WorkloadId id) {
    Workload workload = workloads.get(id);
    if (workload == null) {
      throw new AssertionError("nothing is known of " + id);
    }
    return workload;
  }

  private String forget(WorkloadId id, boolean gone) {
    workloads.remove(id);
    return "" + gone;
  }

  private String removeQueue(String name) {
    boolean inUse =
        running().stream().anyMatch(admission -> admission.clusterQueue().equals(name));
    if (inUse) {
      return "in use";
    }
    queues.remove(name);
    return "" + engine.removeClusterQueue(name);
  }

  /** Several at once, so that the queues have heads that compete in the next cycle. */
  private String submitBurst(Step step) {
    StringBuilder results = new StringBuilder();
    for (int i = 0; i <= step.target() % 6; i++) {
      Workload workload = newWorkload(step.variant() + i);
      workloads.put(workload.id(), workload);
      results.append(engine.submit(workload)).append('\n');
    }
    return results.toString();
  }

  private String tryNew(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload);
    if (result.isAdmitted()) {
      workloads.put(workload.id(), workload);
    }
    return result.toString();
  }

  private String update(WorkloadId id, int variant) {
    Workload old = known(id);
    Workload.Builder changed = Workload.builder().from(old).priority(variant % 3);
    if (engine.admission(id).isPresent()) {
      old.podSets().forEach(podSet -> {
        if (!old.reclaimablePods().containsKey(podSet.name())) {
          changed.putReclaimablePods(podSet.name(), variant % (podSet.count() + 1));
        }
      });
    } else {
      changed.queueName("q" + variant % QUEUES);
    }
    Workload workload = changed.build();
    workloads.put(id, workload);
    return engine.update(workload).toString();
  }

  private String restore(Step step) {
    if (queues.isEmpty()) {
      return "";
    }
    Workload workload = newWorkload(step.variant());
    List<String> names = List.copyOf(queues.keySet());
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue(names.get(step.target() % names.size()))
        .quotaReservedTime(Cluster.START);
    workload.podSets().forEach(podSet -> {
      PodSetAssignment.Builder assignment =
          PodSetAssignment.builder().name(podSet.name()).count(podSet.count());
      podSet
          .requests()
          .forEach((resource, amount) -> assignment
              .putFlavors(resource, "f" + step.variant() % 2)
              .putResourceUsage(resource, amount * podSet.count()));
      admission.addPodSetAssignments(assignment.build());
    });
    workloads.put(workload.id(), workload);
    engine.restore(workload, admission.build());
    return "restored";
  }

  // ----- specs

  Workload newWorkload(int variant) {
    Random random = new Random(variant);
    created++;
    Workload.Builder workload = Workload.builder()
        .namespace(NAMESPACE)
        .name("w" + created)
        .queueName("q" + random.nextInt(QUEUES))
        .priority(random.nextInt(3) - 1)
        .creationTime(Cluster.START.plusSeconds(random.nextInt(3)));
    int sets = 1 + random.nextInt(2);
    for (int i = 0; i < sets; i++) {
      PodSet.Builder podSet = PodSet.builder().name("p" + i).count(1 + random.nextInt(4));
      if (i == 0 && random.nextInt(3) == 0) {
        podSet.minCount(1);
      }
      podSet.putRequests("cpu", random.nextInt(6) * 500L);
      if (random.nextBoolean()) {
        podSet.putRequests("gpu", random.nextInt(3));
      }
      workload.addPodSets(podSet.build());
    }
    return workload.build();
  }

  private static ClusterQueue queueSpec(int number, int variant) {
    Random random = new Random(31L * variant + number);
    int cohort = random.nextInt(COHORTS + 1);
    boolean inCohort = cohort < COHORTS;
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name("q" + number)
        .namespaceSelector(LabelSelector.everything())
        .queueingStrategy(
            number % 2 == 0 ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO)
        .cohort(inCohort ? Optional.of("c" + cohort) : Optional.empty())
        .flavorFungibility(new FlavorFungibility(
            random.nextBoolean() ? Policy.MAY_STOP_SEARCH : Policy.TRY_NEXT_FLAVOR,
            Policy.TRY_NEXT_FLAVOR,
            Optional.empty()));
    groups(random, inCohort, true).forEach(queue::addResourceGroups);
    return queue.build();
  }

  private static Cohort cohortSpec(int number, int variant) {
    Random random = new Random(-31L * variant - number - 1);
    Cohort.Builder cohort = Cohort.builder().name("c" + number);
    int parent = random.nextInt(number + 1);
    boolean hasParent = parent < number;
    if (hasParent) {
      cohort.parent("c" + parent);
    }
    if (random.nextBoolean()) {
      groups(random, hasParent, false).forEach(cohort::addResourceGroups);
    }
    return cohort.build();
  }

  /** One group of one or two flavors for both resources, or a group for each. */
  private static ImmutableList<ResourceGroup> groups(
      Random random, boolean mayLimit, boolean lendsOwnOnly) {
    if (random.nextInt(4) == 0) {
      return ImmutableList.of(
          group(random, mayLimit, lendsOwnOnly, List.of("f0"), List.of("cpu")),
          group(random, mayLimit, lendsOwnOnly, List.of("f1"), List.of("gpu")));
    }
    List<String> flavors =
        Arrays.asList(random.nextBoolean() ? new String[] {"f0", "f1"} : new String[] {"f1"});
    if (random.nextBoolean()) {
      Collections.reverse(flavors);
    }
    return ImmutableList.of(group(random, mayLimit, lendsOwnOnly, flavors, List.of("cpu", "gpu")));
  }

  private static ResourceGroup group(
      Random random,
      boolean mayLimit,
      boolean lendsOwnOnly,
      List<String> flavors,
      List<String> resources) {
    return ResourceGroup.of(flavors.stream()
        .map(flavor -> FlavorQuotas.of(
            flavor,
            resources.stream()
                .map(resource -> quota(random, mayLimit, lendsOwnOnly, resource))
                .toArray(ResourceQuota[]::new)))
        .toArray(FlavorQuotas[]::new));
  }

  private static ResourceQuota quota(
      Random random, boolean mayLimit, boolean lendsOwnOnly, String resource) {
    long unit = resource.equals("cpu") ? 1000 : 1;
    long nominal = random.nextInt(8);
    OptionalLong borrowing = mayLimit && random.nextInt(3) == 0
        ? OptionalLong.of(random.nextInt(5) * unit)
        : OptionalLong.empty();
    OptionalLong lending = mayLimit && random.nextInt(3) == 0
        ? OptionalLong.of(random.nextInt(lendsOwnOnly ? (int) nominal + 1 : 10) * unit)
        : OptionalLong.empty();
    return new ResourceQuota(resource, nominal * unit, borrowing, lending);
  }
}
