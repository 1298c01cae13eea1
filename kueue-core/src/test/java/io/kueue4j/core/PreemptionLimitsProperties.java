package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.codes;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random lives of queues with limits of preemption: no limit is ever exceeded, and until the next
 * tick time alone lets no waiting workload preempt.
 */
class PreemptionLimitsProperties {
  private static final List<String> QUEUES = List.of("a", "b", "guest");
  private static final Preemption PREEMPTION = Preemption.builder()
      .withinClusterQueue(LOWER_PRIORITY)
      .reclaimWithinCohort(ANY)
      .build();

  /** A preemption of the past. */
  private record Past(Instant time, PreemptionVictim victim, String preemptor) {}

  /** A life, with what was preempted in it. */
  private static final class Life {
    final Random random;
    final PreemptionLimits limits;
    final Cluster cluster;
    final List<Past> past = new ArrayList<>();
    final Map<WorkloadId, Instant> reserved = new HashMap<>();
    final Map<WorkloadId, String> queueOf = new HashMap<>();
    int jobs;

    Life(long seed) {
      random = new Random(seed);
      limits = limits(random);
      Settings.Builder settings = Settings.builder().preemptionLimits(limits);
      if (random.nextBoolean()) {
        settings.fairSharing();
      }
      cluster = new Cluster(settings.build());
      QueueingStrategy strategy =
          random.nextInt(4) == 0 ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO;
      cluster.with(
          queue("a", "c", 3).preemption(PREEMPTION).queueingStrategy(strategy),
          queue("b", "c", 2).preemption(PREEMPTION),
          queue("guest", "c", random.nextInt(2)).preemption(PREEMPTION));
    }

    private static PreemptionLimits limits(Random random) {
      PreemptionLimits.Builder limits = PreemptionLimits.builder();
      for (PreemptionReason reason : PreemptionReason.values()) {
        if (random.nextBoolean()) {
          limits.putMinRunTimes(reason, Duration.ofSeconds(5 + random.nextInt(30)));
        }
      }
      for (RateScope scope : RateScope.values()) {
        if (random.nextInt(3) == 0) {
          limits.addRates(
              new Rate(scope, 1 + random.nextInt(3), Duration.ofSeconds(10 + random.nextInt(50))));
        }
      }
      return limits.build();
    }

    void step() {
      switch (random.nextInt(5)) {
        case 0, 1 -> submit();
        case 2 -> finishAny();
        case 3 -> cluster.advanceSeconds(random.nextInt(12));
        default -> cluster.tick().ifPresent(cluster::advanceSeconds);
      }
      settle();
      expectNothingBeforeTheNextTick();
    }

    private void submit() {
      String name = "job-" + jobs++;
      String queue = QUEUES.get(random.nextInt(QUEUES.size()));
      queueOf.put(Cluster.id(name), queue);
      cluster.submit(name, queue, 1 + random.nextInt(3), random.nextInt(3));
    }

    private void finishAny() {
      List<WorkloadId> running =
          List.copyOf(reserved.keySet()).stream().sorted().toList();
      if (!running.isEmpty()) {
        WorkloadId finished = running.get(random.nextInt(running.size()));
        cluster.finish(finished.name());
        reserved.remove(finished);
      }
    }

    /** Runs cycles until all workloads were tried in the state in which they wait. */
    private void settle() {
      do {
        runCycles();
        // Its end makes all others active.
        cluster.submit("other", "guest", 100);
        cluster.finish("other");
      } while (runCycles());
    }

    /**
     * Runs cycles, and reports pods as stopped, until nothing changes.
     *
     * @return whether something has changed
     */
    @CanIgnoreReturnValue
    private boolean runCycles() {
      boolean anyChange = false;
      int withoutChange = 0;
      for (int cycles = 0; cycles < 60 && withoutChange < 4; cycles++) {
        boolean changed = false;
        for (Decision decision : cluster.cycle().all()) {
          changed |= note(decision);
        }
        withoutChange = changed ? 0 : withoutChange + 1;
        anyChange |= changed;
      }
      return anyChange && withoutChange > 0;
    }

    private boolean note(Decision decision) {
      if (decision instanceof AdmissionResult.Admitted admitted) {
        Admission admission = admitted.admission();
        reserved.put(admission.workload(), admission.quotaReservedTime());
        return true;
      } else if (decision instanceof PreemptionVictim victim) {
        check(new Past(cluster.now(), victim, requireNonNull(queueOf.get(victim.preemptor()))));
        reserved.remove(victim.workload());
        cluster.stop(victim.workload().name());
        return true;
      }
      return false;
    }

    private void check(Past preemption) {
      past.add(preemption);
      Instant since = requireNonNull(reserved.get(preemption.victim.workload()));
      Duration minRunTime =
          limits.minRunTimes().getOrDefault(preemption.victim.reason(), Duration.ZERO);
      assertThat(since.plus(minRunTime)).isBeforeOrEqualTo(preemption.time);
      for (Rate rate : limits.rates()) {
        long inWindow = past.stream()
            .filter(other -> other.time.plus(rate.window()).isAfter(preemption.time)
                && counted(rate, other).equals(counted(rate, preemption)))
            .count();
        assertThat(inWindow).as("preemptions of %s", rate).isLessThanOrEqualTo(rate.limit());
      }
    }

    private static String counted(Rate rate, Past preemption) {
      return switch (rate.scope()) {
        case GLOBAL -> "";
        case PREEMPTING_CLUSTER_QUEUE -> preemption.preemptor;
        case PREEMPTED_CLUSTER_QUEUE -> preemption.victim.clusterQueue();
        case PREEMPTED_WORKLOAD -> preemption.victim.workload().name();
      };
    }

    private void expectNothingBeforeTheNextTick() {
      Optional<Instant> next = cluster.engine.nextTick();
      for (WorkloadId waiting : queueOf.keySet()) {
        if (cluster.engine.workload(waiting).isEmpty()
            || isOutdated(waiting)
            || !mustWait(waiting, cluster.now())) {
          continue;
        }
        for (int second = 1; second < 40; second += 3) {
          Instant later = cluster.now().plusSeconds(second);
          if (next.isEmpty() || later.isBefore(next.get())) {
            assertThat(mustWait(waiting, later))
                .as(
                    "%s waits at %s, next tick %s, %s: %s",
                    waiting, later, next, cluster.engine.explain(waiting).reasons(), limits)
                .isTrue();
          }
        }
      }
    }

    /**
     * {@return whether the last attempt of a workload did not see what one now would} It waits for
     * its turn in a StrictFIFO queue, or others of the cycle came first.
     */
    private boolean isOutdated(WorkloadId workload) {
      List<Reason> known = cluster.engine.explain(workload).reasons();
      List<Reason> now = tried(workload, cluster.now()) instanceof AdmissionResult.Pending pending
          ? pending.reasons()
          : List.of();
      return codes(known).contains(ReasonCode.NOT_TRIED_YET) || !codes(known).equals(codes(now));
    }

    private boolean mustWait(WorkloadId workload, Instant time) {
      return tried(workload, time) instanceof AdmissionResult.Pending;
    }

    private AdmissionResult tried(WorkloadId workload, Instant time) {
      AdmissionEngine study = cluster.engine.view().whatIf(() -> time);
      return study.tryAdmit(study.workload(workload).orElseThrow()).result();
    }
  }

  @Property(tries = 150)
  void limitsHoldAndTicksComeInTime(@ForAll long seed) {
    Life life = new Life(seed);
    for (int i = 0; i < 40; i++) {
      life.step();
    }
  }
}
