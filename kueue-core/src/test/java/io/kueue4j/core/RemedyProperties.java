package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.internal.remedy.QuotaRaise;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.PlayedEngine;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioOptions;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import io.kueue4j.core.testkit.jqwik.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every stated remedy is applied to a fork, and checked to be sufficient and minimal. */
class RemedyProperties {
  private static final int STEPS = 30;
  private static final int MAX_CYCLES = 100;

  @Provide
  Arbitrary<PreemptionScenario.Setup> setups() {
    return PreemptionScenario.setups();
  }

  @Provide
  Arbitrary<List<Operation<PreemptionScenario>>> histories() {
    return Choices.lists(STEPS, choices -> {
      if (!choices.oneIn(2)) {
        return PreemptionScenario.submission(choices);
      }
      return choices.oneIn(3) ? PreemptionScenario.stop(choices) : PreemptionScenario.nextCycle();
    });
  }

  @Property(tries = 40)
  void statedChangesLeadToTheAdmissionUnderPreemption(
      @ForAll("setups") PreemptionScenario.Setup setup,
      @ForAll("histories") List<Operation<PreemptionScenario>> history) {
    PreemptionScenario scenario = new PreemptionScenario(setup);
    history.forEach(step -> step.on(scenario));
    check(scenario.cluster.engine);
    waiting(scenario.cluster.engine)
        .forEach(id -> checkSomethingHelps(scenario.cluster.engine, id));
  }

  @Property(tries = 60)
  void statedChangesLeadToTheAdmissionAfterWhateverWasDone(
      @ForAll @From("bounded") Scenario scenario) {
    check(PlayedEngine.after(scenario).engine());
  }

  /** With less of one resource fewer pods are admitted, which also need less of the other. */
  @Example
  void lessOfOneResourceMayNeedLessOfAnother() {
    check(PlayedEngine.after(Scenario.parse("""
      settings apply(queue(q0 in(c1) strict all group(f(f0 cpu(1000) gpu(2))) \
      fungibility(MayStopSearch MayStopSearch) preempt(LowerOrNewerEqualPriority Any Never)) \
      namespace(a label(kubernetes.io/metadata.name a) label(team x)) local(b l1 q1) local(b l0 \
      q0) local(b l2 q2) class(high 3) queue(q2 in(c1) strict all group(f(f0 cpu(1000) gpu(1))) \
      fungibility(MayStopSearch MayStopSearch) preempt(LowerOrNewerEqualPriority Any \
      LowerPriority)) cohort(c1) local(a l1 q1) namespace(b label(kubernetes.io/metadata.name b) \
      label(team y)) queue(q1 in(c0) all group(f(f0 gpu(3) cpu(5000))) fungibility(TryNextFlavor \
      TryNextFlavor BorrowingOverPreemption)) flavor(f0) class(low 0) local(a l2 q2) cohort(c0) \
      local(a l0 q0)) submit(a w1 l2 priority(-1) created(PT0S) set(p0 2 ask(cpu 1000) ask(gpu 1)) \
      preemptionGate(g0) preemptionGate(g1)) submit(b w2 l2 created(PT-2S) set(p0 2 ask(cpu 1000) \
      ask(gpu 1)) allowed(f0)) cycle cycle cycle cycle submit(b w3 l0 class(high) created(PT-1S) \
      set(p0 2 ask(cpu 1000) ask(gpu 1)) preemptionGate(g1)) submit(a w4 l2 created(PT-1S) set(p0 \
      4 min(1) ask(cpu 3000) ask(gpu 1)) allowed(f0)) submit(b w5 l1 priority(-1) created(PT-1S) \
      set(p0 1 ask(cpu 1000)) preemptionGate(g1)) submit(a w6 l2 priority(-2147483648) \
      created(PT-1S) set(p0 4 min(1) ask(cpu 1000) ask(gpu 1)) preemptionGate(g0) allowed(f0)) \
      cycle submit(a w7 l2 priority(2) created(PT-2S) set(p0 1 ask(cpu 1000))) submit(a w8 l2 \
      priority(2147483647) created(PT-1S) set(p0 1 ask(cpu 2000)) preemptionGate(g1)) cycle cycle \
      tell(finished b w2) update(a w7 l1 priority(2) created(PT-2S) set(p0 1 ask(cpu 1000))) \
      tell(finished b w5) cycle submit(b w9 l0 priority(-1) created(PT-1S) set(p0 2 ask(cpu 1000) \
      ask(gpu 1))) cycle tell(finished a w7) update(a w8 l1 priority(2) created(PT-1S) set(p0 1 \
      ask(cpu 2000)) preemptionGate(g1)) submit(b w10 l2 priority(1) created(PT-2S) set(p0 3 \
      min(2) ask(cpu 1000) ask(gpu 1))) cycle tell(finished a w8) cycle update(a w1 l0 priority(2) \
      created(PT0S) set(p0 2 ask(cpu 1000) ask(gpu 1)) preemptionGate(g0) preemptionGate(g1)) \
      try(a w6 l2 priority(-2147483648) created(PT-1S) set(p0 4 min(1) ask(cpu 1000) ask(gpu 1)) \
      preemptionGate(g0) allowed(f0)) cycle update(a w6 l0 priority(1) created(PT-2S) set(p0 1 \
      ask(cpu 1000)) preemptionGate(g0) preemptionGate(g1) allowed(f0)) try(a w11 l0 priority(1) \
      created(PT-2S) set(p0 1 ask(cpu 1000))) cycle update(b w5 l2 priority(1) created(PT-1S) \
      set(p0 2 ask(cpu 2000) ask(gpu 1))) tell(finished b w3) cycle""")).engine());
  }

  /** At the end of the 64-bit range subtracting one may have no effect. */
  @Provide
  Arbitrary<Scenario> bounded() {
    return Scenarios.of(ScenarioOptions.builder().without(Feature.HUGE_AMOUNTS).build());
  }

  private static void check(AdmissionEngine engine) {
    String before = engine.view().toString();
    for (WorkloadId id : waiting(engine)) {
      Explanation explanation = engine.explain(id);
      List<Remedy> remedies = explanation.remedies();
      assertThat(explanation.remedy()).isEqualTo(remedies.stream().findFirst());
      assertThat(remedies.stream().map(Remedy::kind).toList())
          .as("kinds of changes for %s", id)
          .isSorted()
          .doesNotHaveDuplicates();
      remedies.forEach(remedy -> checkSuffices(engine, id, remedy));
      remedies.forEach(remedy -> checkIsSmallest(engine, id, remedy));
    }
    assertThat(engine.view()).hasToString(before);
  }

  private static List<WorkloadId> waiting(AdmissionEngine engine) {
    return engine.view().clusterQueues().stream()
        .flatMap(queue ->
            ImmutableList.of(queue.pending(), queue.inadmissible()).stream().flatMap(List::stream))
        .toList();
  }

  private static void checkSuffices(AdmissionEngine engine, WorkloadId id, Remedy remedy) {
    AdmissionEngine copy = copy(engine);
    copy.apply(remedy);
    if (remedy.kind() == Remedy.Kind.WAIT_FOR_TURN || remedy.kind() == Remedy.Kind.RAISE_PRIORITY) {
      for (int i = 0; i < MAX_CYCLES && copy.admission(id).isEmpty(); i++) {
        copy.runCycle();
      }
      assertThat(copy.admission(id)).as("%s for %s", remedy, id).isPresent();
    } else {
      assertThat(copy.tryAdmit(workload(copy, id)).result())
          .as("%s for %s", remedy, id)
          .isInstanceOf(AdmissionResult.Admitted.class);
    }
  }

  private static void checkIsSmallest(AdmissionEngine engine, WorkloadId id, Remedy remedy) {
    List<Remedy> smaller = new ArrayList<>();
    for (Raise raise : remedy.raises()) {
      Pair pair = new Pair(raise.flavor(), raise.resource());
      smaller.add(Remedy.builder(remedy.kind())
          .message("one less than " + remedy)
          .addObjects(oneLess(remedy.objects().get(0), remedy.kind(), pair))
          .build());
    }
    for (WorkloadId stop : remedy.stops()) {
      if (remedy.kind() == Remedy.Kind.STOP_HOLDERS) {
        smaller.add(Remedy.builder(remedy.kind())
            .message(remedy + " but for " + stop)
            .addAllStops(
                remedy.stops().stream().filter(other -> !other.equals(stop)).toList())
            .build());
      }
    }
    for (Remedy tooSmall : smaller) {
      AdmissionEngine copy = copy(engine);
      copy.apply(tooSmall);
      assertThat(copy.tryAdmit(workload(copy, id)).result().isAdmitted())
          .as("%s for %s", tooSmall, id)
          .isFalse();
    }
  }

  private static ConfigObject oneLess(ConfigObject object, Remedy.Kind kind, Pair pair) {
    return new QuotaRaise(kind, object, "").raised(Map.of(pair, -1L));
  }

  /** A workload that lacks only quota has a remedy by quota. */
  private static void checkSomethingHelps(AdmissionEngine engine, WorkloadId id) {
    AdmissionEngine copy = copy(engine);
    if (copy.tryAdmit(workload(copy, id)).result() instanceof AdmissionResult.Pending) {
      Explanation explanation = engine.explain(id);
      assertThat(explanation.remedies()).as("%s", explanation).isNotEmpty();
    }
  }

  private static Workload workload(AdmissionEngine engine, WorkloadId id) {
    return engine.inspect(state -> state.require(id).workload());
  }

  private static AdmissionEngine copy(AdmissionEngine engine) {
    return engine.view().whatIf();
  }
}
