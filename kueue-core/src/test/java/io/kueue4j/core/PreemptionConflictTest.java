package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict.Recomputation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Preemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The conflicts of preemptions that a listener receives; rules S-10, S-15. */
class PreemptionConflictTest {
  /** The conflicts that the listener received, by cycle. */
  private final List<List<PreemptionConflict>> conflicts = new ArrayList<>();

  private Cluster cluster(Settings settings) {
    EngineListener listener = new EngineListener() {
      @Override
      public void preemptionsConflicted(List<PreemptionConflict> found) {
        conflicts.add(found);
      }
    };
    return new Cluster(settings, listener).ticking();
  }

  private Cluster cluster(boolean recomputes) {
    return cluster(Settings.builder()
            .putFeatureGates(
                FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP, recomputes)
            .build())
        .with(
            queue("p1", "c", 3)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("p2", "c", 3)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("v", "c", 0));
  }

  private static PreemptionConflict second(boolean skipped, @Nullable Recomputation recomputation) {
    return new PreemptionConflict(
        Cluster.id("second"), "p2", skipped, Optional.ofNullable(recomputation));
  }

  @Test
  void theSecondIsDeferredIfItFitsOnceTheVictimsOfTheFirstStop() {
    Cluster cluster = cluster(true);
    cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);
    cluster.cycle();
    assertThat(conflicts).hasSize(1);
    assertThat(conflicts.get(0)).containsExactly(second(false, Recomputation.DEFERRED_FIT));
  }

  @Test
  void theSecondGetsNewTargetsIfThereAreOtherVictims() {
    Cluster cluster = cluster(true);
    cluster.run("v1", "v", 3, 0).run("v2", "v", 3, 1);
    cluster.submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);
    assertThat(preempted(cluster.cycle())).hasSize(2);
    assertThat(conflicts.get(0)).containsExactly(second(false, Recomputation.NEW_TARGETS));
  }

  @Test
  void withoutOtherVictimsTheSecondIsSkipped() {
    Cluster cluster = cluster(Settings.defaults())
        .with(
            queue("p1", "c", 3)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("p2", "c", 3)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("v", "c", 0),
            queue("x", "c", 0));
    // Only v1 may be preempted, and the first preemptor takes its quota.
    cluster.run("v1", "v", 3, 0).run("x1", "x", 3, 9);
    cluster.submit("first", "p1", 3, 5).submit("second", "p2", 3, 5);
    cluster.cycle();
    assertThat(conflicts.get(0)).containsExactly(second(false, Recomputation.SKIPPED));
  }

  @Test
  void withTheGateOffTheSecondIsSkipped() {
    Cluster cluster = cluster(false);
    cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);
    cluster.cycle();
    assertThat(conflicts.get(0)).containsExactly(second(true, null));
  }

  @Test
  void aHeadThatNeedsMoreThanTheFirstLeavesIsPassedOver() {
    Cluster cluster = cluster(Settings.builder().fairSharing(ImmutableList.of()).build())
        .with(
            queue("p1", "c", 0)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("p2", "c", 0)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("lender", "c", 6));
    cluster.run("low1", "p1", 2, 0).run("low2", "p2", 2, 1);
    cluster.submit("first", "p1", 4, 5).submit("second", "p2", 4, 5);
    assertThat(preempted(cluster.cycle())).containsExactly("low1 for first: InClusterQueue");
    assertThat(conflicts.get(0)).containsExactly(second(true, null));
  }

  @Test
  void cyclesWithoutAConflictAreNotReported() {
    Cluster cluster = cluster(true);
    cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0);
    assertThat(preempted(cluster.cycle())).hasSize(1);
    cluster.submit("large", "v", 9, 0);
    cluster.cycle();
    assertThat(conflicts).isEmpty();
  }

  @Test
  void aForkNotifiesNoListener() {
    Cluster cluster = cluster(true);
    cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);
    AdmissionEngine study = cluster.engine.view().whatIf();
    assertThat(study.runCycle().preempted()).hasSize(1);
    assertThat(conflicts).isEmpty();
  }
}
