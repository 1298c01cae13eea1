package io.kueue4j.core;

import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.ThreadMXBean;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.operation.WorkloadOperations;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.TreeObserver;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Half of the queues of a cohort have lent their quota to the other half, and all of them reclaim
 * it in one cycle.
 */
class PreemptionStormTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int SIZE = 40;
  private static final int TIMES = 8;

  /** Counts how often a queue or the cohort starts or stops borrowing. */
  private static final class BorrowingCounter implements TreeObserver {
    private long changes;

    @Override
    public void borrowingChanged(int node, int column) {
      changes++;
    }

    @Override
    public void queueChanged(int node) {}

    @Override
    public void candidateAdded(int node, QuotaHolder holder) {}

    @Override
    public void candidateRemoved(int node, QuotaHolder holder) {}
  }

  private static final class Storm {
    private final EngineState state;
    private final WorkloadOperations admissions;
    private final BorrowingCounter counter = new BorrowingCounter();

    Storm(Settings settings, int owners) {
      EngineCore core = new EngineCore(InstantSource.fixed(NOW), new EngineState(settings));
      state = core.state();
      admissions = core.workloads();
      List<ConfigObject> objects = new ArrayList<>(List.of(ResourceFlavor.of("default")));
      for (int i = 0; i < owners; i++) {
        for (String name : List.of("owner" + i, "guest" + i)) {
          objects.add(queue(name, "all", 1)
              .preemption(Preemption.builder()
                  .withinClusterQueue(NEVER)
                  .reclaimWithinCohort(ANY)
                  .build())
              .build());
          objects.add(LocalQueue.of("ns", name, name));
        }
      }
      core.configurationChange(NOW).apply(objects);
      for (int i = 0; i < owners; i++) {
        for (String name : List.of("own" + i, "borrowed" + i)) {
          assertThat(admissions
                  .tryAdmit(job(name, "guest" + i), TryAdmitOptions.defaults(), NOW)
                  .result())
              .isInstanceOf(AdmissionResult.Admitted.class);
        }
      }
      for (int i = 0; i < owners; i++) {
        admissions.submit(job("asks" + i, "owner" + i), NOW);
      }
      QueueState some = state.queues().iterator().next();
      some.quota().tree().borrowers().observe(counter);
    }

    private static Workload job(String name, String queue) {
      return Workload.builder()
          .namespace("ns")
          .name(name)
          .queueName(queue)
          .creationTime(NOW)
          .addPodSets(PodSet.builder().request("cpu", "1").build())
          .build();
    }

    @CanIgnoreReturnValue
    Decisions cycle() {
      return admissions.runCycle(NOW);
    }
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** With and without fair sharing. */
  static List<Settings> settings() {
    return List.of(Settings.defaults(), Settings.builder().fairSharing().build());
  }

  @CanIgnoreReturnValue
  private static long allocatedInCycle(Settings settings, int owners) {
    Storm storm = new Storm(settings, owners);
    long before = allocatedBytes();
    storm.cycle();
    return allocatedBytes() - before;
  }

  private static long borrowingChanges(Settings settings, int owners) {
    Storm storm = new Storm(settings, owners);
    storm.cycle();
    return storm.counter.changes;
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everyOwnerPreemptsOneGuestOfItsOwnAndEveryGuestOneOnly(Settings settings) {
    Decisions result = new Storm(settings, SIZE).cycle();

    assertThat(result.preempted())
        .hasSize(SIZE)
        .extracting(PreemptionVictim::workload)
        .extracting(WorkloadId::name)
        .doesNotHaveDuplicates();
    assertThat(result.preempted())
        .extracting(victim -> victim.workload().name().replaceAll("\\D", ""))
        .doesNotHaveDuplicates();
    assertThat(result.admitted()).isEmpty();
  }

  /** Quadratic if every entry removed all earlier victims again. */
  @ParameterizedTest
  @MethodSource("settings")
  void changesOfUsageGrowWithTheQueues(Settings settings) {
    assertThat(borrowingChanges(settings, SIZE * TIMES))
        .isLessThan(2 * TIMES * borrowingChanges(settings, SIZE));
  }

  /** Quadratic if every search collected all candidates. */
  @ParameterizedTest
  @MethodSource("settings")
  void allocationGrowsWithTheQueues(Settings settings) {
    allocatedInCycle(settings, SIZE);

    assertThat(allocatedInCycle(settings, SIZE * TIMES))
        .isLessThan(2 * TIMES * allocatedInCycle(settings, SIZE));
  }
}
