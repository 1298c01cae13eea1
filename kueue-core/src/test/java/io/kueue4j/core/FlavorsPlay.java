package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.VariantExplanation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Random calls of an engine with a queue {@code q} whose workloads try all flavors concurrently, by
 * a caller that starts and stops exactly what decisions say.
 */
final class FlavorsPlay {
  private static final ImmutableList<CheckState> CHECK_STATES =
      ImmutableList.copyOf(CheckState.values());
  static final ImmutableList<String> QUEUES = ImmutableList.of("q", "q", "q", "low");

  final AdmissionEngine engine;
  private final Random random;
  private final boolean hasChecks;
  private Instant now;

  /** The running workloads according to the decisions. */
  final Set<WorkloadId> running = new TreeSet<>();

  final Set<WorkloadId> stopping = new TreeSet<>();
  final Map<WorkloadId, Workload> known = new TreeMap<>();
  private int made;
  private boolean keepsFlavors;
  private boolean isAlone;

  FlavorsPlay(ClusterQueue.Builder queue, Settings settings, long seed, boolean hasChecks) {
    FlavorsCluster cluster = new FlavorsCluster(settings, queue);
    this.now = Cluster.START;
    this.random = new Random(seed);
    this.hasChecks = hasChecks;
    this.engine = cluster.engine.view().whatIf(() -> now);
  }

  /** A copy that continues in a fork. */
  private FlavorsPlay(FlavorsPlay other, AdmissionEngine engine) {
    this.engine = engine;
    this.random = other.random;
    this.hasChecks = other.hasChecks;
    this.now = other.now;
    goOnFrom(other);
  }

  private void goOnFrom(FlavorsPlay other) {
    now = other.now;
    running.addAll(other.running);
    stopping.addAll(other.stopping);
    known.putAll(other.known);
    made = other.made;
    keepsFlavors = other.keepsFlavors;
    isAlone = other.isAlone;
  }

  FlavorsPlay fork() {
    FlavorsPlay[] made = new FlavorsPlay[1];
    made[0] = new FlavorsPlay(this, engine.view().whatIf(() -> made[0].now));
    return made[0];
  }

  /** {@return another play in another engine with all workloads of this one restored} */
  FlavorsPlay restart(ClusterQueue.Builder queue, Settings settings) {
    FlavorsPlay fresh = new FlavorsPlay(queue, settings, 0, hasChecks);
    fresh.engine.apply(AdmissionCheck.of("check", "controller"));
    fresh.engine.apply(engine.view().clusterQueue("q").orElseThrow().spec());
    FlavorsPlay copy = fresh;
    copy.goOnFrom(this);
    known.forEach((id, workload) -> {
      Workload current = engine.inspect(state -> state.require(id).workload());
      copy.engine
          .lifecycle()
          .restore(current, engine.admission(id), engine.lifecycle().status(id));
    });
    return copy;
  }

  /** Makes a call; {@return the call with the answer of the engine} */
  @CanIgnoreReturnValue
  String step(long seed) {
    String done = call(seed);
    return done + " " + follow(engine.takeDecisions());
  }

  private String call(long seed) {
    random.setSeed(seed);
    int kind = random.nextInt(100);
    Optional<WorkloadId> some = some(known.keySet());
    if (isAlone ? some.isEmpty() : kind < 25 || some.isEmpty()) {
      return submit();
    }
    if (isAlone && kind < 20) {
      return "room " + changeRoom();
    }
    WorkloadId id = some.get();
    if (kind < 60) {
      return "cycle " + follow(engine.runCycle());
    }
    if (kind < 72) {
      return some(stopping).map(this::stop).orElse("nothing stops");
    }
    if (kind < 78) {
      known.remove(id);
      running.remove(id);
      stopping.remove(id);
      return "finish " + id + engine.finish(id);
    }
    if (kind < 82) {
      EvictionReason reason =
          random.nextBoolean() ? EvictionReason.NODE_FAILURES : EvictionReason.ADMISSION_CHECK;
      return "evict " + id + follow(engine.lifecycle().evict(id, reason, "x"));
    }
    if (kind < 86) {
      boolean active = random.nextBoolean();
      return "active " + id + active + follow(engine.lifecycle().setActive(id, active));
    }
    if (kind < 89) {
      return "ready " + id + follow(engine.lifecycle().setPodsReady(id, random.nextBoolean()));
    }
    if (kind < 91) {
      return "hold " + id + follow(engine.lifecycle().setOnHold(id, random.nextBoolean()));
    }
    if (kind < 93) {
      return "flavors " + changeFlavors();
    }
    if (kind < 96 && hasChecks) {
      CheckState state = CHECK_STATES.get(random.nextInt(CHECK_STATES.size()));
      String flavor = FlavorsCluster.FLAVORS.get(random.nextInt(3));
      return "check " + id + flavor + state
          + follow(engine.lifecycle().setCheck(id, flavor, AdmissionCheckState.of("check", state)));
    }
    now = now.plus(Duration.ofSeconds(random.nextInt(400)));
    return "tick " + follow(engine.tick()) + engine.nextTick();
  }

  /** Makes a call that keeps the flavors unchanged. */
  void stepOfOneFlavor(long seed) {
    keepsFlavors = true;
    step(seed);
  }

  /** Gives each flavor quota for a workload, or none. */
  private String changeRoom() {
    ClusterQueue old = engine.view().clusterQueue("q").orElseThrow().spec();
    ImmutableList<FlavorQuotas> quotas = old.resourceGroups().get(0).flavors().stream()
        .map(flavor -> FlavorQuotas.of(
            flavor.flavor(), ResourceQuota.ofAmount("cpu", random.nextBoolean() ? 4000L : 0L)))
        .collect(toImmutableList());
    Decisions decided = engine.apply(ClusterQueue.builder()
        .from(old)
        .resourceGroups(List.of(ResourceGroup.of(quotas.toArray(new FlavorQuotas[0]))))
        .build());
    return quotas + " " + follow(decided);
  }

  private String changeFlavors() {
    if (keepsFlavors) {
      return "kept";
    }
    List<String> flavors = new ArrayList<>(FlavorsCluster.FLAVORS);
    flavors.remove(random.nextInt(3));
    if (random.nextBoolean()) {
      flavors = new ArrayList<>(FlavorsCluster.FLAVORS);
    }
    Collections.shuffle(flavors, random);
    ClusterQueue old = engine.view().clusterQueue("q").orElseThrow().spec();
    if (old.concurrentAdmissionPolicy().flatMap(p -> p.lastAcceptableFlavor()).isPresent()
        || !old.admissionChecks().isEmpty()) {
      // They name flavors that must stay.
      flavors = new ArrayList<>(FlavorsCluster.FLAVORS);
      Collections.shuffle(flavors, random);
    }
    Decisions decided = engine.apply(ClusterQueue.builder()
        .from(old)
        .resourceGroups(List.of(FlavorsCluster.group(4, flavors)))
        .build());
    return flavors + " " + follow(decided);
  }

  private Optional<WorkloadId> some(Set<WorkloadId> ids) {
    List<WorkloadId> all = List.copyOf(new TreeSet<>(ids));
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private String submit() {
    made++;
    Workload workload = Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name("w" + made)
        .queueName(isAlone ? "q" : QUEUES.get(random.nextInt(QUEUES.size())))
        .priority(random.nextInt(3))
        .creationTime(Cluster.START.plusSeconds(made))
        .addPodSets(PodSet.builder()
            .requestAmount("cpu", 1000L * (1 + random.nextInt(4)))
            .build())
        .build();
    known.put(workload.id(), workload);
    if (random.nextInt(4) == 0) {
      AdmissionResult result = engine.tryAdmit(workload);
      if (result.holdsQuota()) {
        if (result instanceof AdmissionResult.Admitted admitted) {
          start(admitted.admission());
        }
      } else {
        known.remove(workload.id());
      }
      return "try " + result;
    }
    return "submit " + engine.submit(workload);
  }

  @CanIgnoreReturnValue
  String stop(WorkloadId id) {
    Decisions[] decided = new Decisions[1];
    assertThat(Cluster.podsStopped(engine, id, each -> decided[0] = each))
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
  FlavorsPlay alone() {
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
      assertThat(engine.lifecycle().status(id).phase() == WorkloadPhase.ADMITTED)
          .as("%s runs", id)
          .isEqualTo(running.contains(id));
    }
    checkVariants();
  }

  private void checkVariants() {
    for (WorkloadId id : known.keySet()) {
      List<VariantExplanation> variants = engine.explain(id).variants();
      long admitted = variants.stream()
          .filter(variant -> variant.explanation().status().phase() == WorkloadPhase.ADMITTED)
          .count();
      assertThat(admitted).as("variants of %s that run", id).isLessThanOrEqualTo(1);
      Set<String> flavors = new HashSet<>();
      variants.forEach(variant -> assertThat(flavors.add(variant.flavor())).isTrue());
    }
  }

  /** {@return the holders with their usage} */
  ImmutableList<String> holders() {
    return engine.view().clusterQueues().stream()
        .flatMap(queue -> queue.admitted().stream())
        .map(admission -> admission.workload() + " " + FlavorsCluster.flavor(admission))
        .sorted()
        .collect(toImmutableList());
  }
}
