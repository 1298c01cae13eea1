package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.Change.Raise;
import io.kueue4j.core.Shortage.Pair;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.PlayedEngine;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioOptions;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import io.kueue4j.core.testkit.jqwik.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Every change that is stated is made on a copy, and seen to be enough and not too much. */
class ChangeProperties {
  private static final int STEPS = 30;
  private static final int MAX_CYCLES = 100;

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void statedChangesLeadToTheAdmissionUnderPreemption(
      @ForAll long seed, @ForAll boolean fairSharing) {
    PreemptionScenario scenario = new PreemptionScenario(seed, fairSharing);
    for (int i = 0; i < STEPS; i++) {
      if (scenario.chance(2)) {
        scenario.submitJob();
      } else if (scenario.chance(3)) {
        scenario.stopOne();
      } else {
        scenario.cycle();
      }
    }
    check(scenario.cluster.engine);
    waiting(scenario.cluster.engine)
        .forEach(id -> checkSomethingHelps(scenario.cluster.engine, id));
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void statedChangesLeadToTheAdmissionAfterWhateverWasDone(
      @ForAll @From("bounded") Scenario scenario) {
    check(PlayedEngine.after(scenario).engine());
  }

  /** At the end of the 64-bit range one less is not less. */
  @Provide
  Arbitrary<Scenario> bounded() {
    return Scenarios.of(ScenarioOptions.builder().without(Feature.HUGE_AMOUNTS).build());
  }

  private static void check(AdmissionEngine engine) {
    String before = engine.view().toString();
    for (WorkloadId id : waiting(engine)) {
      Explanation explanation = engine.explain(id);
      ImmutableList<Change> changes = explanation.changes();
      assertThat(explanation.change()).isEqualTo(changes.stream().findFirst());
      assertThat(changes.stream().map(Change::kind).toList())
          .as("kinds of changes for %s", id)
          .isSorted()
          .doesNotHaveDuplicates();
      changes.forEach(change -> checkSuffices(engine, id, change));
      changes.forEach(change -> checkIsSmallest(engine, id, change));
    }
    assertThat(engine.view()).hasToString(before);
  }

  private static List<WorkloadId> waiting(AdmissionEngine engine) {
    return engine.view().clusterQueues().stream()
        .flatMap(queue ->
            ImmutableList.of(queue.pending(), queue.inadmissible()).stream().flatMap(List::stream))
        .toList();
  }

  private static void checkSuffices(AdmissionEngine engine, WorkloadId id, Change change) {
    AdmissionEngine copy = copy(engine);
    change.applyTo(copy);
    if (change.kind() == ChangeKind.WAIT_FOR_TURN || change.kind() == ChangeKind.RAISE_PRIORITY) {
      for (int i = 0; i < MAX_CYCLES && copy.admission(id).isEmpty(); i++) {
        copy.runCycle();
      }
      assertThat(copy.admission(id)).as("%s for %s", change, id).isPresent();
    } else {
      assertThat(copy.tryAdmit(workload(copy, id)))
          .as("%s for %s", change, id)
          .isInstanceOf(AdmissionResult.Admitted.class);
    }
  }

  private static void checkIsSmallest(AdmissionEngine engine, WorkloadId id, Change change) {
    List<Change> smaller = new ArrayList<>();
    for (Raise raise : change.raises()) {
      Pair pair = new Pair(raise.flavor(), raise.resource());
      smaller.add(Change.builder(change.kind())
          .message("one less than " + change)
          .addObjects(oneLess(change.objects().get(0), change.kind(), pair))
          .build());
    }
    for (WorkloadId stop : change.stops()) {
      if (change.kind() == ChangeKind.STOP_HOLDERS) {
        smaller.add(Change.builder(change.kind())
            .message(change + " but for " + stop)
            .addAllStops(
                change.stops().stream().filter(other -> !other.equals(stop)).toList())
            .build());
      }
    }
    for (Change tooSmall : smaller) {
      AdmissionEngine copy = copy(engine);
      tooSmall.applyTo(copy);
      assertThat(copy.tryAdmit(workload(copy, id)).isAdmitted())
          .as("%s for %s", tooSmall, id)
          .isFalse();
    }
  }

  private static ConfigObject oneLess(ConfigObject object, ChangeKind kind, Pair pair) {
    QuotaEdit edit = switch (kind) {
      case RAISE_BORROWING_LIMIT -> QuotaEdit.BORROWING_LIMIT;
      case RAISE_LENDING_LIMIT -> QuotaEdit.LENDING_LIMIT;
      default -> QuotaEdit.NOMINAL_QUOTA;
    };
    Map<Pair, Long> less = Map.of(pair, -1L);
    return object instanceof Cohort cohort
        ? Cohort.builder()
            .from(cohort)
            .resourceGroups(edit.apply(cohort.resourceGroups(), less))
            .build()
        : ClusterQueue.builder()
            .from((ClusterQueue) object)
            .resourceGroups(edit.apply(((ClusterQueue) object).resourceGroups(), less))
            .build();
  }

  /** Whatever does not fit for want of quota alone is helped by quota. */
  private static void checkSomethingHelps(AdmissionEngine engine, WorkloadId id) {
    AdmissionEngine copy = copy(engine);
    if (copy.tryAdmit(workload(copy, id)) instanceof AdmissionResult.Pending) {
      Explanation explanation = engine.explain(id);
      assertThat(explanation.changes()).as("%s", explanation).isNotEmpty();
    }
  }

  private static Workload workload(AdmissionEngine engine, WorkloadId id) {
    return engine.inspect(state -> state.require(id).workload());
  }

  private static AdmissionEngine copy(AdmissionEngine engine) {
    return engine.view().whatIf();
  }
}
