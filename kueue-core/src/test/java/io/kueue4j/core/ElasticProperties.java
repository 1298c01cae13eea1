package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random jobs grow, shrink, change, stop and finish in two queues of a cohort; the engine is
 * restarted now and then. After every step usage equals a recount of the admissions, and no job has
 * two running slices.
 */
class ElasticProperties {
  private static final int STEPS = 80;
  private static final int JOBS = 5;
  private static final List<String> QUEUES = List.of("q0", "q1");

  /** The configuration of a world. */
  record Setup(Settings settings, List<ClusterQueue> queues) {
    static Setup draw(Choices choices) {
      Settings settings = Settings.builder()
          .strictQuota(choices.nextBoolean())
          .putFeatureGates(FeatureGate.RECLAIMABLE_PODS, choices.nextInt(4) < 3)
          .putFeatureGates(
              FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP,
              choices.nextInt(3) < 2)
          .build();
      ImmutableList.Builder<ClusterQueue> queues = ImmutableList.builder();
      for (String name : QUEUES) {
        queues.add(ClusterQueue.builder()
            .name(name)
            .cohort("cohort")
            .namespaceSelector(LabelSelector.everything())
            .preemption(Preemption.builder()
                .withinClusterQueue(
                    choices.of(Preemption.Policy.NEVER, Preemption.Policy.LOWER_PRIORITY))
                .reclaimWithinCohort(choices.of(
                    Preemption.Policy.NEVER,
                    Preemption.Policy.LOWER_PRIORITY,
                    Preemption.Policy.ANY))
                .build())
            .addResourceGroups(ResourceGroup.of(quotas(choices, "small"), quotas(choices, "large")))
            .build());
      }
      return new Setup(settings, queues.build());
    }

    private static FlavorQuotas quotas(Choices choices, String flavor) {
      return FlavorQuotas.of(
          flavor,
          ResourceQuota.ofAmount("cpu", 1000L * choices.nextInt(7)),
          ResourceQuota.ofAmount("gpu", choices.nextInt(7)));
    }

    @Override
    public String toString() {
      return new Scenario(settings, ImmutableList.of(new Step.Apply(ImmutableList.copyOf(queues))))
          .toString();
    }
  }

  /**
   * A slice without what depends on the other slices of its job.
   *
   * @param job the number of the job
   * @param isMoved whether it is submitted to another queue than the job
   * @param counts the numbers of pods
   * @param reclaimable the number of reclaimable pods of the first pod set
   * @param replaced the number of the slice that it replaces, counted around; -1 for the last one
   */
  record Slice(
      int job,
      boolean isMoved,
      int priority,
      List<Integer> counts,
      OptionalInt reclaimable,
      int replaced) {
    static Slice draw(Choices choices) {
      return new Slice(
          choices.nextInt(JOBS),
          choices.nextInt(8) == 7,
          choices.nextInt(3),
          choices.list(2, 2, count -> count.nextInt(6)),
          choices.nextInt(3) == 2 ? OptionalInt.of(choices.nextInt(2)) : OptionalInt.empty(),
          choices.nextInt(5) == 4 ? choices.nextInt(1 << 10) : -1);
    }

    @Override
    public String toString() {
      return "j" + job + (isMoved ? " in the other queue" : "") + " of priority " + priority
          + " with " + counts + " pods"
          + (reclaimable.isPresent() ? ", reclaimable " + reclaimable.getAsInt() : "")
          + (replaced < 0 ? "" : ", for slice " + replaced);
    }
  }

  private static Operation<World> step(Choices choices) {
    int number = choices.nextInt(1 << 10);
    return switch (choices.nextInt(12)) {
      case 4, 5, 6 -> {
        Slice slice = Slice.draw(choices);
        yield Operation.of("submit " + slice, world -> {
          Workload added = world.add(slice);
          Decisions decided = world.engine.submit(added);
          world.reclaim(added, slice.reclaimable());
          return decided;
        });
      }
      case 7 -> {
        Slice slice = Slice.draw(choices);
        yield Operation.of("try " + slice, world -> {
          Workload added = world.add(slice);
          Decisions decided = world.engine.tryAdmit(added, TryAdmitOptions.evictingVictims());
          world.reclaim(added, slice.reclaimable());
          return decided;
        });
      }
      case 8, 9 -> {
        List<Integer> changes = choices.list(2, 2, count -> count.nextInt(2) - count.nextInt(4));
        yield Operation.run(
            "rescale " + number + " by " + changes,
            world -> world.any(number).ifPresent(slice -> world.rescale(slice, changes)));
      }
      case 10 ->
        Operation.run(
            "finish " + number,
            world -> world.any(number).ifPresent(slice -> world.engine.finish(slice.id())));
      case 11 ->
        Operation.run(
            "pods of " + number + " stop",
            world -> world.any(number).ifPresent(slice -> world.engine.podsStopped(slice.id())));
      case 3 ->
        choices.nextInt(4) == 3
            ? Operation.run("restart in order " + number, world -> world.restart(number))
            : Operation.run("nothing", world -> {});
      default -> Operation.of("cycle", world -> world.engine.runCycle());
    };
  }

  /** A set of jobs, whose slices are named {@code job-number}. */
  static final class World {
    final Settings settings;
    final List<ClusterQueue> queues;
    final Map<WorkloadId, Workload> slices = new TreeMap<>();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    AdmissionEngine engine;
    int made;

    World(Setup setup) {
      settings = setup.settings();
      queues = setup.queues();
      engine = newEngine();
    }

    AdmissionEngine newEngine() {
      AdmissionEngine fresh =
          AdmissionEngine.builder().clock(() -> now).settings(settings).build();
      fresh.apply(ResourceFlavor.of("small"), ResourceFlavor.of("large"));
      queues.forEach(queue -> fresh.apply(queue, LocalQueue.of("ns", queue.name(), queue.name())));
      return fresh;
    }

    static String job(WorkloadId slice) {
      return slice.name().substring(0, slice.name().indexOf('-'));
    }

    boolean isRunning(WorkloadId id) {
      return engine.admission(id).isPresent()
          && engine.lifecycle().preempted(id).isEmpty();
    }

    /** {@return the slice of that number, counted around} */
    Optional<Workload> any(int number) {
      List<Workload> known = List.copyOf(slices.values());
      return known.isEmpty() ? Optional.empty() : Optional.of(known.get(number % known.size()));
    }

    private static PodSet pods(String name, int count) {
      return PodSet.builder()
          .name(name)
          .count(count)
          .request("cpu", name.equals("a") ? "1" : "500m")
          .request("gpu", name.equals("a") ? "1" : "0")
          .build();
    }

    Workload add(Slice added) {
      made++;
      int job = added.job();
      Workload.Builder slice = Workload.builder()
          .namespace("ns")
          .name("j" + job + "-" + made)
          .elastic(true)
          .sliceName("j" + job)
          .creationTime(now)
          .priority(added.priority())
          .queueName(QUEUES.get(added.isMoved() ? 1 - job % 2 : job % 2))
          .addPodSets(pods("a", added.counts().get(0)), pods("b", added.counts().get(1)));
      List<WorkloadId> ofJob = new ArrayList<>(slices.keySet());
      ofJob.removeIf(id -> !job(id).equals("j" + job));
      ofJob.sort((one, other) -> Boolean.compare(isRunning(one), isRunning(other)));
      if (!ofJob.isEmpty()) {
        int size = ofJob.size();
        slice.replaces(ofJob.get(added.replaced() < 0 ? size - 1 : added.replaced() % size));
      }
      Workload built = slice.build();
      slices.put(built.id(), built);
      return built;
    }

    void step(Operation<World> step) {
      now = now.plusSeconds(1);
      step.on(this);
      slices.keySet().removeIf(id -> !isKnown(id));
    }

    private void reclaim(Workload slice, OptionalInt count) {
      if (count.isPresent() && isKnown(slice.id())) {
        engine.lifecycle().setReclaimablePods(slice.id(), Map.of("a", count.getAsInt()));
      }
    }

    boolean isKnown(WorkloadId id) {
      return engine.inspect(state -> state.record(id) != null);
    }

    void rescale(Workload slice, List<Integer> changes) {
      if (!isKnown(slice.id())) {
        return;
      }
      List<PodSet> podSets = IntStream.range(0, changes.size())
          .mapToObj(i -> PodSet.builder()
              .from(slice.podSets().get(i))
              .count(Math.max(0, slice.podSets().get(i).count() + changes.get(i)))
              .build())
          .toList();
      Workload changed = Workload.builder().from(slice).podSets(podSets).build();
      if (!(engine.update(changed).result() instanceof AdmissionResult.Rejected)) {
        slices.put(slice.id(), changed);
      }
    }

    /**
     * Replaces the engine by one restored from what a controller would have stored, in an order
     * that the number determines.
     */
    void restart(int order) {
      AdmissionEngine old = engine;
      AdmissionEngine fresh = newEngine();
      List<Workload> stored = new ArrayList<>(slices.values());
      Collections.shuffle(stored, new Random(order));
      for (Workload slice : stored) {
        fresh
            .lifecycle()
            .restore(slice, old.admission(slice.id()), old.lifecycle().status(slice.id()));
      }
      engine = fresh;
    }

    /** {@return the usage of the current admissions, by queue, flavor and resource} */
    NavigableMap<String, Long> recount() {
      NavigableMap<String, Long> used = new TreeMap<>();
      slices.forEach((id, slice) -> engine.admission(id).ifPresent(admission -> {
        for (PodSetAssignment given : admission.podSetAssignments()) {
          long left = Math.min(count(slice, given.name()), given.count());
          given.flavors().forEach((resource, flavor) -> {
            long all = given.resourceUsage().getOrDefault(resource, 0L);
            long charged = given.count() == 0 ? all : all / given.count() * left;
            used.merge(key(admission.clusterQueue(), flavor, resource), charged, Long::sum);
          });
        }
      }));
      used.values().removeIf(amount -> amount == 0);
      return used;
    }

    private long count(Workload slice, String name) {
      PodSet podSet = slice.podSets().stream()
          .filter(candidate -> candidate.name().equals(name))
          .findFirst()
          .orElseThrow();
      int reclaimable = settings.isEnabled(FeatureGate.RECLAIMABLE_PODS)
          ? engine.lifecycle().status(slice.id()).reclaimablePods().getOrDefault(name, 0)
          : 0;
      return Math.max(0, podSet.count() - reclaimable);
    }

    NavigableMap<String, Long> usage() {
      NavigableMap<String, Long> used = new TreeMap<>();
      EngineView view = engine.view();
      for (String queue : QUEUES) {
        view.clusterQueue(queue)
            .orElseThrow()
            .usage()
            .forEach(usage -> used.put(key(queue, usage.flavor(), usage.resource()), usage.used()));
      }
      used.values().removeIf(amount -> amount == 0);
      return used;
    }

    private static String key(String queue, String flavor, String resource) {
      return queue + " " + flavor + " " + resource;
    }

    long nominal(String flavor, String resource) {
      return queues.stream()
          .flatMap(queue -> queue.resourceGroups().stream())
          .flatMap(group -> group.flavors().stream())
          .filter(quotas -> quotas.flavor().equals(flavor))
          .flatMap(quotas -> quotas.resources().stream())
          .filter(quota -> quota.resource().equals(resource))
          .mapToLong(ResourceQuota::nominalQuota)
          .sum();
    }
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Choices.arbitrary(Setup::draw);
  }

  @Provide
  Arbitrary<Setup> strictSetups() {
    return setups().filter(setup -> setup.settings().strictQuota());
  }

  @Provide
  Arbitrary<List<Operation<World>>> steps() {
    return Choices.lists(STEPS, ElasticProperties::step);
  }

  @Property(tries = 300)
  void usageIsWhatARecountGives(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Operation<World>> steps) {
    World world = new World(setup);
    for (Operation<World> step : steps) {
      world.step(step);
      assertThat(world.usage()).as("after step %s", step).isEqualTo(world.recount());
    }
  }

  @Property(tries = 300)
  void noTwoSlicesOfAJobGoOn(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Operation<World>> steps) {
    World world = new World(setup);
    for (Operation<World> step : steps) {
      world.step(step);
      for (int job = 0; job < JOBS; job++) {
        String name = "j" + job;
        List<WorkloadId> ofJob = world.slices.keySet().stream()
            .filter(id -> World.job(id).equals(name))
            .toList();
        assertThat(ofJob)
            .as("slices that run after step %s", step)
            .filteredOn(world::isRunning)
            .hasSizeLessThan(2);
        // Preempted slices stay until their pods have stopped, as many as there are.
        assertThat(ofJob)
            .as("slices that do not stop after step %s", step)
            .filteredOn(id -> !world.engine.isStopping(id))
            .hasSizeLessThan(4);
      }
    }
  }

  /** Only with strict quota, as a cycle may let a difference pass that does not fit. */
  @Property(tries = 300)
  void withStrictQuotaNoMoreIsUsedThanThereIs(
      @ForAll("strictSetups") Setup setup, @ForAll("steps") List<Operation<World>> steps) {
    World world = new World(setup);
    for (Operation<World> step : steps) {
      world.step(step);
      Map<String, Long> used = world.usage();
      for (String flavor : List.of("small", "large")) {
        for (String resource : List.of("cpu", "gpu")) {
          long ofAll = IntStream.range(0, QUEUES.size())
              .mapToLong(queue -> used.getOrDefault(World.key("q" + queue, flavor, resource), 0L))
              .sum();
          assertThat(ofAll)
              .as("%s of %s after step %s", resource, flavor, step)
              .isLessThanOrEqualTo(world.nominal(flavor, resource));
        }
      }
    }
  }
}
