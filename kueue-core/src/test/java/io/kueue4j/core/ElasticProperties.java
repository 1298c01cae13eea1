package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random jobs grow, shrink, change, stop and finish in two queues of a cohort; the engine is
 * restarted now and then. After every step usage equals a recount of the admissions, and no job has
 * two running slices.
 */
class ElasticProperties {
  private static final int STEPS = 80;
  private static final int JOBS = 5;
  private static final List<String> QUEUES = List.of("q0", "q1");

  /** A set of jobs, whose slices are named {@code job-number}. */
  private static final class World {
    final Random random;
    final Settings settings;
    final List<ClusterQueue> queues = new ArrayList<>();
    final Map<WorkloadId, Workload> slices = new TreeMap<>();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    AdmissionEngine engine;
    int made;

    World(long seed) {
      random = new Random(seed);
      settings = Settings.builder()
          .strictQuota(random.nextBoolean())
          .putFeatureGates(FeatureGate.RECLAIMABLE_PODS, random.nextInt(4) > 0)
          .putFeatureGates(
              FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP,
              random.nextInt(3) > 0)
          .build();
      for (String name : QUEUES) {
        queues.add(ClusterQueue.builder()
            .name(name)
            .cohort("cohort")
            .namespaceSelector(LabelSelector.everything())
            .preemption(Preemption.of(
                pick(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY),
                pick(
                    PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY)))
            .addResourceGroups(ResourceGroup.of(quotas("small"), quotas("large")))
            .build());
      }
      engine = newEngine();
    }

    @SafeVarargs
    final <T> T pick(T... from) {
      return from[random.nextInt(from.length)];
    }

    FlavorQuotas quotas(String flavor) {
      return FlavorQuotas.of(
          flavor,
          ResourceQuota.ofAmount("cpu", 1000L * random.nextInt(7)),
          ResourceQuota.ofAmount("gpu", random.nextInt(7)));
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
      return engine.admission(id).isPresent() && engine.preempted(id).isEmpty();
    }

    Optional<Workload> any(Random from) {
      List<Workload> known = List.copyOf(slices.values());
      return known.isEmpty()
          ? Optional.empty()
          : Optional.of(known.get(from.nextInt(known.size())));
    }

    PodSet pods(String name) {
      return PodSet.builder()
          .name(name)
          .count(random.nextInt(6))
          .request("cpu", name.equals("a") ? "1" : "500m")
          .request("gpu", name.equals("a") ? "1" : "0")
          .build();
    }

    Workload newSlice(int job) {
      made++;
      Workload.Builder slice = Workload.builder()
          .namespace("ns")
          .name("j" + job + "-" + made)
          .elastic(true)
          .sliceName("j" + job)
          .creationTime(now)
          .priority(random.nextInt(3))
          .queueName(QUEUES.get(random.nextInt(8) == 0 ? 1 - job % 2 : job % 2))
          .addPodSets(pods("a"), pods("b"));
      if (random.nextInt(3) == 0) {
        slice.putReclaimablePods("a", random.nextInt(2));
      }
      List<WorkloadId> ofJob = new ArrayList<>(slices.keySet());
      ofJob.removeIf(id -> !job(id).equals("j" + job));
      ofJob.sort((one, other) -> Boolean.compare(isRunning(one), isRunning(other)));
      if (!ofJob.isEmpty()) {
        slice.replaces(
            random.nextInt(5) > 0
                ? ofJob.get(ofJob.size() - 1)
                : ofJob.get(random.nextInt(ofJob.size())));
      }
      return slice.build();
    }

    void step() {
      now = now.plusSeconds(1);
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          Workload slice = newSlice(random.nextInt(JOBS));
          slices.put(slice.id(), slice);
          engine.submit(slice);
        }
        case 3 -> {
          Workload slice = newSlice(random.nextInt(JOBS));
          slices.put(slice.id(), slice);
          AdmissionResult unused = engine.tryAdmit(slice, TryAdmitOptions.evictingVictims());
        }
        case 4, 5 -> any(random).ifPresent(this::rescale);
        case 6 -> any(random).ifPresent(slice -> engine.finish(slice.id()));
        case 7 -> any(random).ifPresent(slice -> engine.podsStopped(slice.id()));
        case 8 -> {
          if (random.nextInt(4) == 0) {
            restart();
          }
        }
        default -> engine.runCycle();
      }
      slices.keySet().removeIf(id -> !isKnown(id));
    }

    boolean isKnown(WorkloadId id) {
      return engine.inspect(state -> state.record(id) != null);
    }

    void rescale(Workload slice) {
      if (!isKnown(slice.id())) {
        return;
      }
      List<PodSet> podSets = slice.podSets().stream()
          .map(podSet -> PodSet.builder()
              .from(podSet)
              .count(Math.max(0, podSet.count() - random.nextInt(4) + random.nextInt(2)))
              .build())
          .toList();
      Workload changed = Workload.builder().from(slice).podSets(podSets).build();
      if (!(engine.update(changed) instanceof AdmissionResult.Rejected)) {
        slices.put(slice.id(), changed);
      }
    }

    /**
     * Replaces the engine by one restored from what a controller would have stored, in any order.
     */
    void restart() {
      AdmissionEngine old = engine;
      AdmissionEngine fresh = newEngine();
      List<Workload> stored = new ArrayList<>(slices.values());
      Collections.shuffle(stored, random);
      for (Workload slice : stored) {
        Optional<Admission> admission = old.admission(slice.id());
        Optional<PreemptedCondition> preempted = old.preempted(slice.id());
        if (admission.isEmpty()) {
          fresh.submit(slice);
        } else if (preempted.isPresent()) {
          fresh.restore(slice, admission.get(), preempted.get());
        } else {
          fresh.restore(slice, admission.get());
        }
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
          ? slice.reclaimablePods().getOrDefault(name, 0)
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

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void usageIsWhatARecountGives(@ForAll long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();
      assertThat(world.usage()).as("after step %s", step).isEqualTo(world.recount());
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void noTwoSlicesOfAJobGoOn(@ForAll long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();
      for (int job = 0; job < JOBS; job++) {
        String name = "j" + job;
        List<WorkloadId> ofJob = world.slices.keySet().stream()
            .filter(id -> World.job(id).equals(name))
            .toList();
        assertThat(ofJob)
            .as("slices that run after step %s", step)
            .filteredOn(world::isRunning)
            .hasSizeLessThan(2);
        assertThat(ofJob).as("slices after step %s", step).hasSizeLessThan(4);
      }
    }
  }

  /** Only with strict quota, as a cycle may let a difference pass that does not fit. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void withStrictQuotaNoMoreIsUsedThanThereIs(@ForAll long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS && world.settings.strictQuota(); step++) {
      world.step();
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
