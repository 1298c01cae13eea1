package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.TpuPoolSetView;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random lives of engines with slices. Rules: TPU-F-22, B.17. */
class SliceEngineProperties {
  private static final List<String> SHAPES = List.of("2x2", "2x4", "4x4", "4x8");
  private static final int STEPS = 60;

  private final Map<WorkloadId, Workload> known = new TreeMap<>();
  private Random random = new Random(0);
  private int jobs;

  private AdmissionEngine newEngine(Preemption preemption, String... cohort) {
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> Instant.parse("2026-01-01T00:00:00Z"))
        .build();
    TpuPool.Alignment alignment =
        random.nextBoolean() ? TpuPool.Alignment.ALIGNED_IDS : TpuPool.Alignment.HOST_ALIGNED;
    TpuFleet fleet = TpuFleet.of(
        TpuSlices.pod("pod-0", "4x8").withAlignment(alignment),
        TpuSlices.pod("pod-1", "4x4").withAlignment(alignment));
    engine.apply(
        TpuPoolSet.of("v6e", withBrokenHosts(fleet)),
        TpuPoolSet.of("more", TpuSlices.pod("pod-2", "4x4")),
        TpuSlices.flavor("tpu", "v6e"),
        TpuSlices.flavor("other", "more"));
    for (int i = 0; i < 2; i++) {
      ClusterQueue.Builder queue = Queues.openQueue("queue-" + i)
          .addResourceGroups(group("tpu", "other"))
          .preemption(preemption);
      if (cohort.length > 0) {
        queue.cohort(cohort[0]);
      }
      engine.apply(queue.build(), LocalQueue.of("ns", "queue-" + i, "queue-" + i));
    }
    return engine;
  }

  private ResourceGroup group(String... flavors) {
    ImmutableList.Builder<FlavorQuotas> quotas = ImmutableList.builder();
    for (String flavor : flavors) {
      quotas.add(FlavorQuotas.of(
          flavor, ResourceQuota.ofAmount(ResourceNames.TPU, 4L * (4 + random.nextInt(12)))));
    }
    return new ResourceGroup(ImmutableList.of(ResourceNames.TPU), quotas.build());
  }

  private TpuFleet withBrokenHosts(TpuFleet fleet) {
    TpuFleet broken = fleet;
    for (int host = 0; host < 4; host++) {
      HostHealth health = random.nextInt(8) == 0 ? HostHealth.DOWN : HostHealth.HEALTHY;
      broken = broken.withHealth("pod-0", health, host).withHealth("pod-1", health, 3 - host);
    }
    return broken;
  }

  private Workload newJob() {
    jobs++;
    Workload.Builder workload = Workload.builder()
        .namespace("ns")
        .name("job-" + jobs)
        .queueName("queue-" + random.nextInt(2))
        .priority(random.nextInt(3))
        .creationTime(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(jobs));
    int podSets = 1 + random.nextInt(2);
    for (int i = 0; i < podSets; i++) {
      SliceRequest request = SliceRequest.of(SHAPES.get(random.nextInt(SHAPES.size())))
          .withCount(1 + random.nextInt(2));
      PodSet podSet =
          TpuSlices.pods("p" + i, random.nextBoolean() ? request.withTurning() : request);
      workload.addPodSets(podSet);
    }
    Workload built = workload.build();
    known.put(built.id(), built);
    return built;
  }

  private void call(AdmissionEngine engine) {
    List<WorkloadId> ids = new ArrayList<>(known.keySet());
    WorkloadId any =
        ids.isEmpty() ? WorkloadId.of("ns", "none") : ids.get(random.nextInt(ids.size()));
    switch (random.nextInt(11)) {
      case 0, 1, 2 -> engine.submit(newJob());
      case 3 -> {
        AdmissionResult unused = engine.tryAdmit(newJob());
      }
      case 4 -> {
        AdmissionResult unused = engine.tryAdmit(newJob(), TryAdmitOptions.evictingVictims());
      }
      case 5 -> {
        if (random.nextBoolean()) {
          engine.finish(any);
        } else {
          engine.release(any);
        }
      }
      case 6 -> ids.forEach(engine::podsStopped);
      case 7 -> {
        TpuFleet now = engine.view().tpuPoolSets().get(1).fleet();
        engine.apply(TpuPoolSet.of("v6e", withBrokenHosts(TpuFleet.of(now.pools()))));
      }
      case 8 -> {
        if (engine.admission(any).isPresent()) {
          engine.update(Cluster.changed(
              Objects.requireNonNull(known.get(any)), job -> job.priority(random.nextInt(3))));
        }
      }
      default -> engine.runCycle();
    }
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

  private void begin(long seed) {
    random = new Random(seed);
    known.clear();
    jobs = 0;
  }

  private Preemption anyPreemption() {
    return random.nextBoolean()
        ? Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY)
        : Preemption.of(PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY, PreemptionPolicy.NEVER);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void quotaAndFleetAgreeAfterAnyCall(@ForAll long seed) {
    begin(seed);
    AdmissionEngine engine =
        random.nextBoolean() ? newEngine(anyPreemption()) : newEngine(anyPreemption(), "all");
    for (int i = 0; i < STEPS; i++) {
      call(engine);
      checkBooks(engine);
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void aForkAndItsOriginalAreOnTheirOwn(@ForAll long seed) {
    begin(seed);
    AdmissionEngine engine = newEngine(anyPreemption(), "all");
    for (int i = 0; i < STEPS / 2; i++) {
      call(engine);
    }
    EngineView view = engine.view();
    String before = description(engine);
    AdmissionEngine fork = view.whatIf();
    assertThat(description(fork)).isEqualTo(before);
    for (int i = 0; i < STEPS / 2; i++) {
      call(fork);
      checkBooks(fork);
    }
    assertThat(description(engine)).isEqualTo(before);
    String changed = description(fork);
    String seen = view.tpuPoolSets().toString();
    for (int i = 0; i < STEPS / 2; i++) {
      call(engine);
      checkBooks(engine);
    }
    assertThat(description(fork)).isEqualTo(changed);
    assertThat(view.tpuPoolSets()).hasToString(seen);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void aWorkloadIsAdmittedIffThereAreQuotaAndRoom(@ForAll long seed) {
    begin(seed);
    AdmissionEngine engine = newEngine(Preemption.NEVER);
    engine.apply(
        Queues.openQueue("queue-0").addResourceGroups(group("tpu")).build(),
        Queues.openQueue("queue-1").addResourceGroups(group("tpu")).build());
    for (int i = 0; i < STEPS / 2; i++) {
      Workload job = newJob();
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
      assertThat(engine.tryAdmit(job).isAdmitted()).as("%s on %s", job, fleet).isEqualTo(expected);
      if (random.nextInt(3) == 0) {
        List<WorkloadId> ids = new ArrayList<>(known.keySet());
        engine.finish(ids.get(random.nextInt(ids.size())));
      }
    }
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void anotherEngineGoesOnFromWhatWasStored(@ForAll long seed) {
    begin(seed);
    AdmissionEngine engine = newEngine(anyPreemption(), "all");
    for (int i = 0; i < STEPS / 2; i++) {
      call(engine);
    }
    random = new Random(seed);
    AdmissionEngine other = newEngine(anyPreemption(), "all");
    other.apply(TpuPoolSet.of(
        "v6e", TpuFleet.of(other.view().tpuPoolSets().get(1).fleet().pools())));
    admitted(engine)
        .forEach(admission ->
            other.restore(Objects.requireNonNull(known.get(admission.workload())), admission));
    checkBooks(other);
    assertThat(admitted(other)).isEqualTo(admitted(engine));
  }
}
