package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.PlayedEngine;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.Scenarios;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

/** Properties of an engine after any history, in addition to the invariants of the harness. */
@Domain(Scenarios.class)
class PlayedEngineProperties {
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void whatIsShownAsAvailableIsWhatTheRulesLeave(@ForAll Scenario scenario) {
    PlayedEngine played = PlayedEngine.after(scenario);
    if (played.hasGreatUsage()) {
      return;
    }
    for (ClusterQueueView queue : played.engine().view().clusterQueues()) {
      for (QuotaUsage usage : queue.usage()) {
        if (isDeclared(queue, usage)) {
          assertThat(BigInteger.valueOf(usage.available()))
              .as("%s of %s", usage, queue.name())
              .isEqualTo(
                  played.available(queue.name(), usage).min(BigInteger.valueOf(Long.MAX_VALUE)));
        }
      }
    }
  }

  private static boolean isDeclared(ClusterQueueView queue, QuotaUsage usage) {
    return queue.spec().resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(usage.resource()))
        .flatMap(group -> group.flavors().stream())
        .anyMatch(flavor -> flavor.flavor().equals(usage.flavor()));
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void anAdmissionTakenBackLeavesEverythingAsItWas(@ForAll Scenario scenario) {
    AdmissionEngine engine = PlayedEngine.after(scenario).engine();
    for (WorkloadId waiting : waiting(engine.view())) {
      Workload workload = engine.inspect(state -> Workload.builder()
          .from(state.require(waiting).workload())
          .name("tried")
          .build());
      ImmutableList<String> before = usageAndHolders(engine);

      AdmissionResult result = engine.tryAdmit(workload).result();

      assertThat(engine.tryAdmit(workload).result()).isEqualTo(result);
      assertThat(engine.release(workload.id()).removed()).hasSize(result.isAdmitted() ? 1 : 0);
      assertThat(usageAndHolders(engine)).as("after %s", result).isEqualTo(before);
    }
  }

  private static List<WorkloadId> waiting(EngineView view) {
    return view.clusterQueues().stream()
        .flatMap(PlayedEngineProperties::waiting)
        .toList();
  }

  private static Stream<WorkloadId> waiting(ClusterQueueView queue) {
    return Stream.concat(queue.pending().stream(), queue.inadmissible().stream());
  }

  /**
   * {@return all usage, without pairs that are neither declared nor used, and pending and running
   * workloads}
   */
  private static ImmutableList<String> usageAndHolders(AdmissionEngine engine) {
    return engine.view().clusterQueues().stream()
        .map(queue -> queue.name() + " " + queue.admitted()
            + queue.usage().stream().map(QuotaUsage::toString).sorted().toList()
            + waiting(queue).sorted().toList())
        .collect(toImmutableList());
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void theOrderOfTheConfigurationExplainsNothing(@ForAll Scenario scenario) {
    Scenario reversed = new Scenario(
        scenario.settings(),
        scenario.steps().stream().map(PlayedEngineProperties::reversed).collect(toImmutableList()));
    AdmissionEngine engine = PlayedEngine.after(scenario).engine();
    AdmissionEngine other = PlayedEngine.after(reversed).engine();

    for (WorkloadId id : waiting(engine.view())) {
      assertThat(other.explain(id)).hasToString(engine.explain(id).toString());
    }
    assertThat(other.view()).hasToString(engine.view().toString());
  }

  private static Step reversed(Step step) {
    return step instanceof Step.Apply apply ? new Step.Apply(Lists.reverse(apply.objects())) : step;
  }
}
