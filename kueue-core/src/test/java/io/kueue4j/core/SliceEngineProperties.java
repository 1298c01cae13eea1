package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.TpuPoolSetView;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random lives of engines with slices. Rules: TPU-F-22, B.17. */
class SliceEngineProperties {
  private static final List<String> SHAPES = List.of("2x2", "2x4", "4x4", "4x8");
  private static final int STEPS = 60;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * The configuration of an engine.
   *
   * @param fleet the pools of flavor {@code tpu}
   * @param queues two queues, {@code queue-0} and {@code queue-1}
   */
  record Setup(TpuFleet fleet, List<ClusterQueue> queues) {
    AdmissionEngine newEngine() {
      AdmissionEngine engine = AdmissionEngine.builder()
          .clock(() -> START)
          .assertions(AssertionMode.FULL)
          .build();
      engine.apply(
          TpuPoolSet.of("v6e", fleet),
          TpuPoolSet.of("more", TpuSlices.pod("pod-2", "4x4")),
          TpuSlices.flavor("tpu", "v6e"),
          TpuSlices.flavor("other", "more"));
      queues.forEach(queue -> engine.apply(queue, LocalQueue.of("ns", queue.name(), queue.name())));
      return engine;
    }

    @Override
    public String toString() {
      return "broken " + brokenHosts(fleet) + ", "
          + fleet.pools().get(0).alignment() + ", "
          + Scenario.of(new Step.Apply(ImmutableList.copyOf(queues)));
    }
  }

  /** A workload without its name. */
  record Job(String queue, int priority, List<SliceRequest> requests) {
    static Job draw(Choices choices) {
      return new Job(
          "queue-" + choices.nextInt(2),
          choices.nextInt(3),
          choices.list(1, 1 + choices.nextInt(2), SliceEngineProperties::request));
    }

    Workload named(int number) {
      Workload.Builder workload = Workload.builder()
          .namespace("ns")
          .name("job-" + number)
          .queueName(queue)
          .priority(priority)
          .creationTime(START.plusSeconds(number));
      for (int i = 0; i < requests.size(); i++) {
        workload.addPodSets(TpuSlices.pods("p" + i, requests.get(i)));
      }
      return workload.build();
    }

    @Override
    public String toString() {
      return "job in " + queue + " of priority " + priority + " with "
          + requests.stream()
              .map(request -> request.count() + " x " + request.shapes())
              .toList();
    }
  }

  /** The engine that is called, which may change, and the workloads that it has seen. */
  static final class Play {
    final Map<WorkloadId, Workload> known = new TreeMap<>();
    AdmissionEngine engine;
    private int jobs;

    Play(AdmissionEngine engine) {
      this.engine = engine;
    }

    Workload named(Job job) {
      jobs++;
      Workload workload = job.named(jobs);
      known.put(workload.id(), workload);
      return workload;
    }

    /** {@return the workload of that number, counted around, or one that is unknown} */
    WorkloadId any(int number) {
      List<WorkloadId> ids = List.copyOf(known.keySet());
      return ids.isEmpty() ? WorkloadId.of("ns", "none") : ids.get(number % ids.size());
    }

    void breakHosts(Set<Integer> broken) {
      TpuFleet now = engine.view().tpuPoolSets().get(1).fleet();
      engine.apply(TpuPoolSet.of("v6e", withBrokenHosts(TpuFleet.of(now.pools()), broken)));
    }

    void setPriority(WorkloadId id, int priority) {
      if (engine.admission(id).isPresent()) {
        engine.update(
            Cluster.changed(Objects.requireNonNull(known.get(id)), job -> job.priority(priority)));
      }
    }
  }

  private static SliceRequest request(Choices choices) {
    SliceRequest request = SliceRequest.of(choices.of(SHAPES)).withCount(1 + choices.nextInt(2));
    return choices.nextBoolean() ? request.withTurning() : request;
  }

  private static Setup setup(Choices choices, boolean inCohort, String... flavors) {
    TpuPool.Alignment alignment =
        choices.of(TpuPool.Alignment.ALIGNED_IDS, TpuPool.Alignment.HOST_ALIGNED);
    TpuFleet fleet = TpuFleet.of(
        TpuSlices.pod("pod-0", "4x8").withAlignment(alignment),
        TpuSlices.pod("pod-1", "4x4").withAlignment(alignment));
    TpuFleet broken = withBrokenHosts(fleet, brokenHosts(choices));
    Preemption preemption = flavors.length == 1 ? Preemption.never() : preemption(choices);
    ImmutableList.Builder<ClusterQueue> queues = ImmutableList.builder();
    for (int i = 0; i < 2; i++) {
      ClusterQueue.Builder queue = Queues.openQueue("queue-" + i)
          .addResourceGroups(group(choices, flavors))
          .preemption(preemption);
      queues.add(inCohort ? queue.cohort("all").build() : queue.build());
    }
    return new Setup(broken, queues.build());
  }

  private static ResourceGroup group(Choices choices, String... flavors) {
    ImmutableList.Builder<FlavorQuotas> quotas = ImmutableList.builder();
    for (String flavor : flavors) {
      quotas.add(FlavorQuotas.of(
          flavor, ResourceQuota.ofAmount(ResourceNames.TPU, 4L * (4 + choices.nextInt(12)))));
    }
    return new ResourceGroup(ImmutableList.of(ResourceNames.TPU), quotas.build());
  }

  private static Preemption preemption(Choices choices) {
    return choices.of(
        Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
            .build(),
        Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build());
  }

  /** {@return numbers of hosts, each with probability 1/8} */
  private static Set<Integer> brokenHosts(Choices choices) {
    Set<Integer> broken = new TreeSet<>();
    for (int host = 0; host < 4; host++) {
      if (choices.nextInt(8) == 7) {
        broken.add(host);
      }
    }
    return broken;
  }

  private static TpuFleet withBrokenHosts(TpuFleet fleet, Set<Integer> hosts) {
    TpuFleet broken = fleet;
    for (int host : hosts) {
      broken = broken
          .withHealth("pod-0", HostHealth.DOWN, host)
          .withHealth("pod-1", HostHealth.DOWN, 3 - host);
    }
    return broken;
  }

  private static List<Integer> brokenHosts(TpuFleet fleet) {
    return IntStream.range(0, 4)
        .filter(host -> fleet.health("pod-0", host) == HostHealth.DOWN)
        .boxed()
        .toList();
  }

  private static Operation<Play> call(Choices choices) {
    int number = choices.nextInt(1 << 10);
    return switch (choices.nextInt(11)) {
      default -> Operation.of("cycle", play -> play.engine.runCycle());
      case 2, 3, 4 -> {
        Job job = Job.draw(choices);
        yield Operation.of("submit " + job, play -> play.engine.submit(play.named(job)));
      }
      case 5 -> {
        Job job = Job.draw(choices);
        yield Operation.of("try " + job, play -> play.engine.tryAdmit(play.named(job)));
      }
      case 6 -> {
        Job job = Job.draw(choices);
        yield Operation.of(
            "try and evict " + job,
            play -> play.engine.tryAdmit(play.named(job), TryAdmitOptions.evictingVictims()));
      }
      case 7 ->
        choices.nextBoolean()
            ? Operation.of("finish " + number, play -> play.engine.finish(play.any(number)))
            : Operation.of("release " + number, play -> play.engine.release(play.any(number)));
      case 8 ->
        Operation.run(
            "all evicted pods stop", play -> play.known.keySet().forEach(play.engine::podsStopped));
      case 9 -> {
        Set<Integer> broken = brokenHosts(choices);
        yield Operation.run("broken are hosts " + broken, play -> play.breakHosts(broken));
      }
      case 10 -> setPriority(number, choices.nextInt(3));
    };
  }

  private static Operation<Play> setPriority(int number, int priority) {
    return Operation.run(
        "priority of " + number + " becomes " + priority,
        play -> play.setPriority(play.any(number), priority));
  }

  private static List<Admission> admitted(AdmissionEngine engine) {
    return engine.view().clusterQueues().stream()
        .flatMap(queue -> queue.admitted().stream())
        .toList();
  }

  /** Quota, admissions and fleet agree, and no host is assigned twice. */
  private static void checkBooks(AdmissionEngine engine) {
    Set<String> hosts = new HashSet<>();
    Set<String> slices = new HashSet<>();
    Map<String, Long> charged = new TreeMap<>();
    for (Admission admission : admitted(engine)) {
      for (PodSetAssignment podSet : admission.podSetAssignments()) {
        long chips = 0;
        for (SliceAssignment slice : podSet.slices()) {
          chips += slice.placement().shape().chips();
          slices.add(slice.poolSet() + slice.placement() + admission.workload());
          slice
              .placement()
              .hosts()
              .forEach(host -> assertThat(hosts.add(slice.pool() + "/" + host)).isTrue());
        }
        assertThat(podSet.resourceUsage()).containsEntry(ResourceNames.TPU, chips);
        String flavor = podSet.flavors().getOrDefault(ResourceNames.TPU, "");
        assertThat(podSet.slices())
            .allMatch(slice -> slice.poolSet().equals(flavor.equals("tpu") ? "v6e" : "more"));
        charged.merge(admission.clusterQueue() + "/" + flavor, chips, Long::sum);
      }
    }
    Set<String> inFleet = new HashSet<>();
    for (TpuPoolSetView view : engine.view().tpuPoolSets()) {
      for (TpuSlice slice : view.fleet().slices()) {
        inFleet.add(view.name() + slice.placement() + slice.owner());
      }
    }
    assertThat(inFleet).isEqualTo(slices);
    engine
        .view()
        .clusterQueues()
        .forEach(queue -> queue
            .usage()
            .forEach(usage -> assertThat(usage.used())
                .isEqualTo(charged.getOrDefault(queue.name() + "/" + usage.flavor(), 0L))));
  }

  private static String description(AdmissionEngine engine) {
    return admitted(engine) + " " + engine.view().tpuPoolSets();
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Choices.arbitrary(choices -> setup(choices, choices.nextBoolean(), "tpu", "other"));
  }

  @Provide
  Arbitrary<Setup> cohorts() {
    return Choices.arbitrary(choices -> setup(choices, true, "tpu", "other"));
  }

  @Provide
  Arbitrary<Setup> oneFlavor() {
    return Choices.arbitrary(choices -> setup(choices, false, "tpu"));
  }

  @Provide
  Arbitrary<List<Operation<Play>>> calls() {
    return Choices.lists(STEPS, SliceEngineProperties::call);
  }

  @Provide
  Arbitrary<List<Operation<Play>>> fewCalls() {
    return Choices.lists(STEPS / 2, SliceEngineProperties::call);
  }

  @Property(tries = 100)
  void quotaAndFleetAgreeAfterAnyCall(
      @ForAll("setups") Setup setup, @ForAll("calls") List<Operation<Play>> calls) {
    Play play = new Play(setup.newEngine());
    for (Operation<Play> call : calls) {
      call.on(play);
      checkBooks(play.engine);
    }
  }

  @Property(tries = 60)
  void aForkAndItsOriginalAreOnTheirOwn(
      @ForAll("cohorts") Setup setup,
      @ForAll("fewCalls") List<Operation<Play>> before,
      @ForAll("fewCalls") List<Operation<Play>> ofFork,
      @ForAll("fewCalls") List<Operation<Play>> ofOriginal) {
    AdmissionEngine engine = setup.newEngine();
    Play play = new Play(engine);
    before.forEach(call -> call.on(play));
    EngineView view = engine.view();
    String original = description(engine);
    AdmissionEngine fork = view.whatIf();
    assertThat(description(fork)).isEqualTo(original);
    play.engine = fork;
    for (Operation<Play> call : ofFork) {
      call.on(play);
      checkBooks(fork);
    }
    assertThat(description(engine)).isEqualTo(original);
    String changed = description(fork);
    String seen = view.tpuPoolSets().toString();
    play.engine = engine;
    for (Operation<Play> call : ofOriginal) {
      call.on(play);
      checkBooks(engine);
    }
    assertThat(description(fork)).isEqualTo(changed);
    assertThat(view.tpuPoolSets()).hasToString(seen);
  }

  /**
   * A workload that arrives, and a workload that finishes then.
   *
   * @param finished its number, counted around, or -1 if none finishes
   */
  record Arrival(Job job, int finished) {
    static Arrival draw(Choices choices) {
      return new Arrival(Job.draw(choices), choices.nextInt(3) < 2 ? -1 : choices.nextInt(1 << 10));
    }
  }

  @Provide
  Arbitrary<List<Arrival>> arrivals() {
    return Choices.lists(STEPS / 2, Arrival::draw);
  }

  @Property(tries = 150)
  void aWorkloadIsAdmittedIffThereAreQuotaAndRoom(
      @ForAll("oneFlavor") Setup setup, @ForAll("arrivals") List<Arrival> arrivals) {
    AdmissionEngine engine = setup.newEngine();
    Play play = new Play(engine);
    for (Arrival arrival : arrivals) {
      Workload job = play.named(arrival.job());
      TpuFleet fleet = engine.view().tpuPoolSets().get(1).fleet();
      long chips =
          job.podSets().stream().mapToLong(podSet -> podSet.count() * 4L).sum();
      long available = engine
          .view()
          .clusterQueue(job.queueName())
          .orElseThrow()
          .usage()
          .get(0)
          .available();
      boolean expected = chips <= available && NaiveRoom.isThere(fleet, job);
      assertThat(engine.tryAdmit(job).result().isAdmitted())
          .as("%s on %s", job, fleet)
          .isEqualTo(expected);
      if (arrival.finished() >= 0) {
        engine.finish(play.any(arrival.finished()));
      }
    }
  }

  @Property(tries = 40)
  void anotherEngineGoesOnFromWhatWasStored(
      @ForAll("cohorts") Setup setup, @ForAll("fewCalls") List<Operation<Play>> calls) {
    Play play = new Play(setup.newEngine());
    calls.forEach(call -> call.on(play));
    AdmissionEngine other = setup.newEngine();
    other.apply(TpuPoolSet.of("v6e", TpuFleet.of(setup.fleet().pools())));
    admitted(play.engine)
        .forEach(admission -> other
            .lifecycle()
            .restore(Objects.requireNonNull(play.known.get(admission.workload())), admission));
    checkBooks(other);
    assertThat(admitted(other)).isEqualTo(admitted(play.engine));
  }
}
