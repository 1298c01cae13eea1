package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.internal.operation.WorkloadOperations;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call that fails in the middle leaves everything as it was before, whatever the cause.
 *
 * <p>Queues a and b reclaim what c has borrowed, both from the same workload, so that one of them
 * is nominated again in the middle of the cycle. Each call of the search for victims fails once.
 */
class FailureTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Thrown by the failing call. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** An engine without its lock; it fails at one search for victims. */
  private static final class Fixture {
    final EngineState state;
    final LockedEngine core;
    int looksLeft;

    Fixture(boolean fairSharing) {
      Settings.Builder settings = Settings.builder();
      if (fairSharing) {
        settings.fairSharing();
      }
      EngineCore engine =
          new EngineCore(() -> NOW, new EngineState(settings.build()), Hostile::new);
      state = engine.state();
      core = engine.exclusive(false);
      var group =
          ResourceGroup.of(FlavorQuotas.of(FLAVOR, cores(2)), FlavorQuotas.of("spot", cores(0)));
      engine
          .configurationChange(NOW)
          .apply(List.of(
              ResourceFlavor.of(FLAVOR),
              ResourceFlavor.of("spot"),
              queue("a", "r", group)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(LOWER_PRIORITY)
                      .reclaimWithinCohort(ANY)
                      .build())
                  .build(),
              queue("b", "r", group)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(LOWER_PRIORITY)
                      .reclaimWithinCohort(ANY)
                      .build())
                  .build(),
              queue("c", "r", 0).build(),
              queue("d", "r", 0).build(),
              LocalQueue.of("ns", "a", "a"),
              LocalQueue.of("ns", "b", "b"),
              LocalQueue.of("ns", "c", "c"),
              LocalQueue.of("ns", "d", "d")));
      for (Workload running : List.of(job("c1", "c", 3, 0), job("b0", "b", 1, 0))) {
        Decisions decided =
            call(admissions -> admissions.tryAdmit(running, TryAdmitOptions.defaults(), NOW));
        assertThat(decided.result()).isInstanceOf(AdmissionResult.Admitted.class);
      }
      for (Workload pending : List.of(
          job("a1", "a", 2, 9), job("a2", "a", 1, 0), job("b1", "b", 2, 5), job("d1", "d", 2, 0))) {
        call(admissions -> admissions.submit(pending, NOW));
      }
    }

    @CanIgnoreReturnValue
    <R> R call(Function<WorkloadOperations, R> call) {
      return core.call(held -> call.apply(held.workloads()));
    }

    Decisions runCycle() {
      return call(admissions -> admissions.runCycle(NOW));
    }

    int observers() {
      return state.queues().stream()
          .mapToInt(queue -> queue.quota().tree().borrowers().observers().size())
          .sum();
    }

    static Workload job(String name, String queue, int cores, int priority) {
      return Workload.builder()
          .namespace("ns")
          .name(name)
          .queueName(queue)
          .priority(priority)
          .creationTime(NOW)
          .addPodSets(PodSet.builder().request("cpu", String.valueOf(cores)).build())
          .build();
    }

    /** {@return the visible state of the queues and their workloads} */
    ImmutableList<String> picture() {
      List<String> lines = new ArrayList<>();
      for (QueueState queue : state.queues()) {
        ClusterQueueView view =
            new StateView(state.fork()).clusterQueue(queue.name()).orElseThrow();
        lines.add(view + " " + view.usage() + view.admitted() + view.stopping() + view.pending()
            + view.inadmissible());
        QueueQuota quota = queue.quota();
        lines.add("in trial " + quota.tree().isInTrial() + ", set aside "
            + quota.holders().stream().filter(quota::isSetAside).toList());
      }
      for (String name : List.of("a1", "a2", "b1", "d1")) {
        lines.add(new Explainer(state).explain(Cluster.id(name), NOW).build().toString());
      }
      return ImmutableList.copyOf(lines);
    }

    private final class Hostile implements VictimSource {
      private final VictimSource source;

      Hostile(VictimSource source) {
        this.source = source;
      }

      private void look() {
        looksLeft--;
        if (looksLeft == 0) {
          throw new Failure();
        }
      }

      @Override
      public int simulate(
          QueueQuota queue,
          FlavorResource pair,
          long amount,
          @Nullable BooleanSupplier fitsOtherwise) {
        look();
        return source.simulate(queue, pair, amount, fitsOtherwise);
      }

      @Override
      public List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise) {
        look();
        return source.find(assignment, fitsOtherwise);
      }
    }
  }

  /**
   * Lets {@code call} fail at each search for victims in turn.
   *
   * @return the number of failures
   */
  private static int failEverywhere(boolean fairSharing, Function<Fixture, Object> call) {
    Object expected = call.apply(new Fixture(fairSharing));
    ImmutableList<String> before = new Fixture(fairSharing).picture();
    for (int look = 1; ; look++) {
      Fixture fixture = new Fixture(fairSharing);
      fixture.looksLeft = look;
      Throwable failure = catchThrowable(() -> call.apply(fixture));
      if (failure == null) {
        return look - 1;
      }
      assertThat(failure).isInstanceOf(Failure.class);
      assertThat(fixture.picture()).as("after failing at look %s", look).isEqualTo(before);
      assertThat(call.apply(fixture)).as("when tried again").isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailedCycleLosesNoWorkloadAndChangesNothing(boolean fairSharing) {
    int failures = failEverywhere(fairSharing, fixture -> fixture.runCycle().toString());

    assertThat(failures).as("looks for victims").isGreaterThanOrEqualTo(6);
  }

  @Test
  void oneOfTheHeadsIsNominatedAgain() {
    Decisions result = new Fixture(false).runCycle();

    assertThat(result.preempted())
        .extracting(
            victim -> victim.workload().name() + " for " + victim.preemptor().name())
        .containsExactly("c1 for a1", "b0 for b1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAttemptAtAQueuedWorkloadThatFailsChangesNothing(boolean fairSharing) {
    int failures = failEverywhere(
        fairSharing,
        fixture -> fixture
            .call(admissions -> admissions.tryAdmit(
                Fixture.job("a1", "a", 2, 9), TryAdmitOptions.evictingVictims(), NOW))
            .toString());

    assertThat(failures).as("looks for victims").isGreaterThanOrEqualTo(2);
  }

  /** A rollback does not tell them which holders come and go. */
  @Test
  void whatObservesATreeIsForgottenWhenACallFails() {
    Fixture fixture = new Fixture(false);
    Decisions unused = fixture.runCycle();
    assertThat(fixture.observers()).isPositive();

    Fixture failing = new Fixture(false);
    failing.looksLeft = 6;
    assertThat(catchThrowable(() -> failing.runCycle())).isInstanceOf(Failure.class);
    assertThat(failing.observers()).isZero();
  }

  @Test
  void theNumberOfCyclesDoesNotGrowByOnesThatFail() {
    Fixture fixture = new Fixture(false);
    for (int i = 0; i < 3; i++) {
      fixture.looksLeft = 1;
      assertThat(catchThrowable(() -> fixture.runCycle())).isInstanceOf(Failure.class);
    }

    assertThat(fixture.runCycle()).hasToString(new Fixture(false).runCycle().toString());
  }
}
