package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation.VariantExplanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Random calls of an engine with a queue {@code q} whose workloads try all flavors concurrently, by
 * a caller that starts and stops exactly what decisions say.
 */
final class RandomConcurrentAdmission {
  private static final ImmutableList<CheckState> CHECK_STATES =
      ImmutableList.copyOf(CheckState.values());
  static final ImmutableList<String> QUEUES = ImmutableList.of("q", "q", "q", "low");

  final AdmissionEngine engine;
  private final boolean hasChecks;
  private Instant now;

  /** The running workloads according to the decisions. */
  final Set<WorkloadId> running = new TreeSet<>();

  final Set<WorkloadId> stopping = new TreeSet<>();
  final Map<WorkloadId, Workload> known = new TreeMap<>();
  private int made;
  private boolean keepsFlavors;
  private boolean isAlone;

  RandomConcurrentAdmission(ClusterQueue.Builder queue, Settings settings, boolean hasChecks) {
    Cluster cluster = ConcurrentFlavors.cluster(settings, queue);
    this.now = Cluster.START;
    this.hasChecks = hasChecks;
    this.engine = cluster.engine.view().whatIf(() -> now);
  }

  /** A copy that continues in a fork. */
  private RandomConcurrentAdmission(RandomConcurrentAdmission other, AdmissionEngine engine) {
    this.engine = engine;
    this.hasChecks = other.hasChecks;
    this.now = other.now;
    goOnFrom(other);
  }

  private void goOnFrom(RandomConcurrentAdmission other) {
    now = other.now;
    running.addAll(other.running);
    stopping.addAll(other.stopping);
    known.putAll(other.known);
    made = other.made;
    keepsFlavors = other.keepsFlavors;
    isAlone = other.isAlone;
  }

  RandomConcurrentAdmission fork() {
    RandomConcurrentAdmission[] made = new RandomConcurrentAdmission[1];
    made[0] = new RandomConcurrentAdmission(this, engine.view().whatIf(() -> made[0].now));
    return made[0];
  }

  /** {@return another play in another engine with all workloads of this one restored} */
  RandomConcurrentAdmission restart(ClusterQueue.Builder queue, Settings settings) {
    RandomConcurrentAdmission fresh = new RandomConcurrentAdmission(queue, settings, hasChecks);
    fresh.engine.apply(AdmissionCheck.of("check", "controller"));
    fresh.engine.apply(engine.view().clusterQueue("q").orElseThrow().spec());
    RandomConcurrentAdmission copy = fresh;
    copy.goOnFrom(this);
    known.forEach((id, workload) -> {
      Workload current = engine.inspect(state -> state.require(id).workload());
      copy.follow(copy.engine
          .lifecycle()
          .restore(current, engine.admission(id), engine.lifecycle().status(id)));
    });
    return copy;
  }

  /**
   * Makes a call.
   *
   * @return the call with the answer of the engine
   */
  @CanIgnoreReturnValue
  String step(Operation<RandomConcurrentAdmission> step) {
    return String.valueOf(step.on(this));
  }

  /** {@return a random call} */
  static Operation<RandomConcurrentAdmission> call(Choices choices) {
    Job job = Job.draw(choices);
    int kind = choices.nextInt(100);
    if (kind < 25) {
      return Operation.of("submit " + job, play -> play.submit(job));
    }
    return orSubmit(job, kind < 60 ? cycle() : rarer(kind, choices));
  }

  /** {@return a random call of a play that is {@link #alone}, which may change the quota} */
  static Operation<RandomConcurrentAdmission> callAlone(Choices choices) {
    Job job = Job.draw(choices);
    int kind = choices.nextInt(100);
    if (kind < 20) {
      List<Boolean> room = choices.list(3, 3, Choices::nextBoolean);
      return orSubmit(
          job, Operation.of("room by flavor " + room, play -> "room " + play.changeRoom(room)));
    }
    return orSubmit(job, kind < 60 ? cycle() : rarer(kind, choices));
  }

  private static Operation<RandomConcurrentAdmission> orSubmit(
      Job job, Operation<RandomConcurrentAdmission> otherwise) {
    return Operation.of(
        otherwise + "; if there is no workload, submit " + job,
        play -> play.known.isEmpty() ? play.submit(job) : otherwise.on(play));
  }

  private static Operation<RandomConcurrentAdmission> cycle() {
    return Operation.of("cycle", play -> "cycle " + play.follow(play.engine.runCycle()));
  }

  private static Operation<RandomConcurrentAdmission> rarer(int kind, Choices choices) {
    int number = choices.nextInt(1 << 10);
    boolean flag = choices.nextBoolean();
    if (kind < 72) {
      return Operation.of(
          "pods of evicted " + number + " stop",
          play ->
              play.stopping.isEmpty() ? "nothing stops" : play.stop(around(play.stopping, number)));
    }
    if (kind < 78) {
      return ofWorkload("finish", number, RandomConcurrentAdmission::finish);
    }
    if (kind < 82) {
      EvictionReason reason = flag ? EvictionReason.NODE_FAILURES : EvictionReason.ADMISSION_CHECK;
      return ofWorkload(
          "evict for " + reason,
          number,
          (play, id) -> play.follow(play.engine.lifecycle().evict(id, reason, "x")));
    }
    if (kind < 86) {
      return ofWorkload(
          "active " + flag,
          number,
          (play, id) -> play.follow(play.engine.lifecycle().setActive(id, flag)));
    }
    if (kind < 89) {
      return ofWorkload(
          "ready " + flag,
          number,
          (play, id) -> play.follow(play.engine.lifecycle().setPodsReady(id, flag)));
    }
    if (kind < 91) {
      return ofWorkload(
          "hold " + flag,
          number,
          (play, id) -> play.follow(play.engine.lifecycle().setOnHold(id, flag)));
    }
    if (kind < 93) {
      List<String> order = choices.shuffled(ConcurrentFlavors.FLAVORS);
      List<String> fewer = order.stream()
          .filter(flavor -> !flavor.equals(ConcurrentFlavors.FLAVORS.get(number % 3)))
          .toList();
      List<String> flavors = flag ? order : fewer;
      return Operation.of(
          "flavors " + flavors, play -> "flavors " + play.changeFlavors(flavors, order));
    }
    Operation<RandomConcurrentAdmission> tick = tick(choices.nextInt(400));
    return kind < 96 ? checkOr(tick, number, choices) : tick;
  }

  private static Operation<RandomConcurrentAdmission> tick(int seconds) {
    return Operation.of("tick after " + seconds + " s", play -> {
      play.now = play.now.plusSeconds(seconds);
      return "tick " + play.follow(play.engine.tick()) + play.engine.nextTick();
    });
  }

  private static Operation<RandomConcurrentAdmission> checkOr(
      Operation<RandomConcurrentAdmission> tick, int number, Choices choices) {
    CheckState state = choices.of(CHECK_STATES);
    String flavor = choices.of(ConcurrentFlavors.FLAVORS);
    Operation<RandomConcurrentAdmission> check = ofWorkload(
        "check " + flavor + " " + state,
        number,
        (play, id) -> play.follow(
            play.engine.lifecycle().setCheck(id, flavor, AdmissionCheckState.of("check", state))));
    return Operation.of(
        check + "; without checks " + tick, play -> (play.hasChecks ? check : tick).on(play));
  }

  private static Operation<RandomConcurrentAdmission> ofWorkload(
      String text, int number, BiFunction<RandomConcurrentAdmission, WorkloadId, Object> call) {
    return Operation.of(text + " workload " + number, play -> {
      WorkloadId id = around(play.known.keySet(), number);
      return text + " " + id + " " + call.apply(play, id);
    });
  }

  /** {@return the id of that number, counted around} */
  private static WorkloadId around(Set<WorkloadId> ids, int number) {
    return List.copyOf(new TreeSet<>(ids)).get(number % ids.size());
  }

  private Decisions finish(WorkloadId id) {
    known.remove(id);
    running.remove(id);
    stopping.remove(id);
    return engine.finish(id);
  }

  /** {@return this, whose calls keep the flavors unchanged} */
  RandomConcurrentAdmission keepingFlavors() {
    keepsFlavors = true;
    return this;
  }

  /** Gives each flavor quota for a workload, or none. */
  private String changeRoom(List<Boolean> room) {
    ClusterQueue old = engine.view().clusterQueue("q").orElseThrow().spec();
    List<FlavorQuotas> flavors = old.resourceGroups().get(0).flavors();
    ImmutableList<FlavorQuotas> quotas = IntStream.range(0, flavors.size())
        .mapToObj(i -> FlavorQuotas.of(
            flavors.get(i).flavor(), ResourceQuota.ofAmount("cpu", room.get(i) ? 4000L : 0L)))
        .collect(toImmutableList());
    Decisions decided = engine.apply(ClusterQueue.builder()
        .from(old)
        .resourceGroups(List.of(ResourceGroup.of(quotas.toArray(new FlavorQuotas[0]))))
        .build());
    return quotas + " " + follow(decided);
  }

  /**
   * Changes the flavors of the queue.
   *
   * @param flavors the flavors
   * @param all all flavors, for a queue that names flavors which must stay
   */
  private String changeFlavors(List<String> flavors, List<String> all) {
    if (keepsFlavors) {
      return "kept";
    }
    ClusterQueue old = engine.view().clusterQueue("q").orElseThrow().spec();
    boolean namesFlavors =
        old.concurrentAdmissionPolicy().flatMap(p -> p.lastAcceptableFlavor()).isPresent()
            || !old.admissionChecks().isEmpty();
    List<String> changed = namesFlavors ? all : flavors;
    Decisions decided = engine.apply(ClusterQueue.builder()
        .from(old)
        .resourceGroups(List.of(ConcurrentFlavors.group(4, changed)))
        .build());
    return changed + " " + follow(decided);
  }

  /**
   * A workload without its name.
   *
   * @param tries whether it is tried at once, and forgotten if it gets no quota
   */
  private record Job(String queue, int priority, int cores, boolean tries) {
    static Job draw(Choices choices) {
      return new Job(
          choices.of(QUEUES), choices.nextInt(3), 1 + choices.nextInt(4), choices.nextInt(4) == 3);
    }

    @Override
    public String toString() {
      return cores + " cores of priority " + priority + " to " + queue + (tries ? " at once" : "");
    }
  }

  private String submit(Job job) {
    made++;
    Workload workload = Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name("w" + made)
        .queueName(isAlone ? "q" : job.queue())
        .priority(job.priority())
        .creationTime(Cluster.START.plusSeconds(made))
        .addPodSets(PodSet.builder().requestAmount("cpu", 1000L * job.cores()).build())
        .build();
    known.put(workload.id(), workload);
    Decisions decided = job.tries() ? engine.tryAdmit(workload) : engine.submit(workload);
    if (job.tries() && !decided.result().holdsQuota()) {
      known.remove(workload.id());
    }
    return (job.tries() ? "try " : "submit ") + decided.result() + " " + follow(decided);
  }

  @CanIgnoreReturnValue
  String stop(WorkloadId id) {
    Decisions[] decided = new Decisions[1];
    assertThat(EngineCalls.podsStopped(engine, id, each -> decided[0] = each))
        .as("%s stopped its pods", id)
        .isTrue();
    stopping.remove(id);
    running.remove(id);
    return "stop " + id + " " + follow(decided[0]);
  }

  /** Runs cycles until they have no result. */
  void cycles() {
    for (int i = 0; i < 8; i++) {
      follow(engine.runCycle());
    }
  }

  /** Stops evicted workloads, and runs cycles, until nothing changes. */
  void rest() {
    for (int i = 0; i < 3; i++) {
      List.copyOf(stopping).forEach(this::stop);
      cycles();
    }
  }

  /** {@return the best flavor that fits, if it is better than the current one} */
  Optional<String> missedFlavor() {
    ClusterQueueView queue = engine.view().clusterQueue("q").orElseThrow();
    boolean mayRun = known.keySet().stream()
        .allMatch(id -> engine.inspect(state -> {
          WorkloadRecord record = state.require(id);
          return record.workload().active() && !record.lifecycle().isOnHold();
        }));
    if (known.isEmpty() || !mayRun) {
      return Optional.empty();
    }
    return queue.usage().stream()
        .filter(usage -> usage.nominal() > 0 || usage.used() > 0)
        .findFirst()
        .filter(usage -> usage.used() == 0)
        .map(QuotaUsage::flavor);
  }

  /** {@return this with one workload at a time, and flavors with or without quota} */
  RandomConcurrentAdmission alone() {
    isAlone = true;
    return this;
  }

  /** {@return the assignments, the tried flavors and the pending reasons} */
  String standing() {
    StringBuilder standing =
        new StringBuilder(running + " " + stopping + " " + holders() + " " + engine.nextTick());
    for (WorkloadId id : known.keySet()) {
      for (VariantExplanation variant : engine.explain(id).variants()) {
        standing
            .append(' ')
            .append(variant.flavor())
            .append(variant.isTried())
            .append(variant.explanation().status().phase())
            .append(variant.explanation().status().requeueAt());
      }
    }
    return standing.toString();
  }

  private void start(Admission admission) {
    assertThat(running.add(admission.workload()))
        .as("%s does not run yet", admission.workload())
        .isTrue();
    assertThat(stopping).doesNotContain(admission.workload());
  }

  @CanIgnoreReturnValue
  private Decisions follow(Decisions result) {
    result.preempted().forEach(victim -> halt(victim.workload()));
    result.evicted().forEach(eviction -> halt(eviction.workload()));
    result.suspended().forEach(this::suspend);
    result.admitted().forEach(this::start);
    return result;
  }

  private void suspend(WorkloadId id) {
    running.remove(id);
  }

  private void halt(WorkloadId id) {
    // Workloads with quota that may not run yet are reported, too, if they are ordinary.
    stopping.add(id);
  }

  // ----- what must hold

  /** Checks that sums are right, and that decisions agree with the state. */
  void check() {
    EngineView view = engine.view();
    Map<WorkloadId, Integer> holding = new TreeMap<>();
    for (ClusterQueueView queue : view.clusterQueues()) {
      Map<String, Long> sums = new TreeMap<>();
      queue.admitted().forEach(admission -> {
        holding.merge(admission.workload(), 1, Integer::sum);
        admission
            .podSetAssignments()
            .forEach(podSet -> podSet
                .flavors()
                .forEach((resource, flavor) -> sums.merge(
                    flavor, podSet.resourceUsage().getOrDefault(resource, 0L), Long::sum)));
      });
      Map<String, Long> used = new TreeMap<>();
      queue.usage().stream()
          .filter(usage -> usage.used() != 0)
          .forEach(usage -> used.put(usage.flavor(), usage.used()));
      assertThat(used).as("usage of %s", queue.name()).isEqualTo(sums);
    }
    assertThat(known.keySet()).containsAll(holding.keySet());
    if (!hasChecks) {
      assertThat(holding.values()).as("one admission each: %s", holding).allMatch(n -> n == 1);
    }
    for (WorkloadId id : known.keySet()) {
      assertThat(engine.lifecycle().status(id).phase() == WorkloadStatus.Phase.ADMITTED)
          .as("%s runs", id)
          .isEqualTo(running.contains(id));
    }
    checkVariants();
  }

  private void checkVariants() {
    for (WorkloadId id : known.keySet()) {
      List<VariantExplanation> variants = engine.explain(id).variants();
      long admitted = variants.stream()
          .filter(
              variant -> variant.explanation().status().phase() == WorkloadStatus.Phase.ADMITTED)
          .count();
      assertThat(admitted).as("variants of %s that run", id).isLessThanOrEqualTo(1);
      Set<String> flavors = new HashSet<>();
      variants.forEach(variant -> assertThat(flavors.add(variant.flavor())).isTrue());
    }
  }

  /** {@return what determines the next decisions and is in no status} */
  ImmutableList<String> remembered() {
    return UnstoredMemory.of(engine, known.keySet());
  }

  /** {@return what has become of something that an engine {@linkplain #remembered remembered}} */
  String outcome(String remembered) {
    return "holds quota: " + holders().contains(remembered) + ", is remembered: "
        + remembered().contains(remembered);
  }

  /** {@return the holders with their usage} */
  ImmutableList<String> holders() {
    return engine.view().clusterQueues().stream()
        .flatMap(queue -> queue.admitted().stream())
        .map(UnstoredMemory::holder)
        .sorted()
        .collect(toImmutableList());
  }
}
