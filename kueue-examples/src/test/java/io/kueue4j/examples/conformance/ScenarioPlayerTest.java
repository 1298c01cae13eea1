package io.kueue4j.examples.conformance;

import static io.kueue4j.examples.conformance.Scenarios.CYCLES;
import static io.kueue4j.examples.conformance.Scenarios.OUTCOME;
import static io.kueue4j.examples.conformance.Scenarios.STEP;
import static io.kueue4j.examples.conformance.Scenarios.cycle;
import static io.kueue4j.examples.conformance.Scenarios.outcome;
import static io.kueue4j.examples.conformance.Scenarios.scenario;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import org.junit.jupiter.api.Test;

final class ScenarioPlayerTest {
  private static final String WAITS = "'cq':['default/c']";

  @Test
  void sameDecisionsAgree() {
    ScenarioResult result = play(Scenarios.good());

    assertThat(result.agrees()).isTrue();
    assertThat(result.suite()).isEqualTo("own");
    assertThat(result.name()).isEqualTo("small");
  }

  @Test
  void emptyCyclesAtTheEndDoNotCount() {
    String more = CYCLES + ",{'admitted':[],'preempted':[]},{'admitted':null}";

    assertThat(play(scenario(STEP, outcome("", more, "", WAITS))).agrees()).isTrue();
  }

  @Test
  void aDifferenceSaysStepCycleAndBothSides() {
    String late = "{'admitted':[],'preempted':[]}," + cycle("default/a");
    ScenarioResult result = play(scenario(STEP, outcome("", late, "", WAITS)));

    assertThat(result.difference()).hasValue("""
        small differs in step 0, cycle 0:
          engine    admitted default/a by cq: main x 1 {cpu=f}
        """);
  }

  @Test
  void otherCountsAndFlavorsAreDifferences() {
    String other = CYCLES.replace("'count':1,'flavors':{'cpu':'f'}", "'count':2,'flavors':{}");
    ScenarioResult result = play(scenario(STEP, outcome("", other, "", WAITS)));

    assertThat(result.difference()).hasValue("""
        small differs in step 0, cycle 0:
          expected  admitted default/a by cq: main x 2 {}
          engine    admitted default/a by cq: main x 1 {cpu=f}
        """);
  }

  @Test
  void aMissingPreemptionIsADifference() {
    String preempting = CYCLES.replaceFirst(
        "'preempted':\\[]",
        "'preempted':[{'workload':'default/x','by':'default/a','reason':'InClusterQueue'}]");
    ScenarioResult result = play(scenario(STEP, outcome("", preempting, "", WAITS)));

    assertThat(result.difference().orElseThrow())
        .contains("expected  preempted default/x for default/a (InClusterQueue)");
  }

  @Test
  void topologyThatTheEngineDoesNotAssignIsADifference() {
    String topology = CYCLES.replace(
        "'cpu':'f'}", "'cpu':'f'},'levels':['host'],'topology':[{'values':['n1'],'count':1}]");
    ScenarioResult result = play(scenario(STEP, outcome("", topology, "", WAITS)));

    assertThat(result.difference().orElseThrow()).contains("[host]", "n1");
  }

  @Test
  void queuesAreCompared() {
    assertThat(play(scenario(STEP, outcome("", CYCLES, WAITS, ""))).difference())
        .hasValue("small differs in step 0, pending:\n  expected  default/c in cq\n");
    assertThat(play(scenario(STEP, outcome("", CYCLES, "", ""))).difference())
        .hasValue("small differs in step 0, inadmissible:\n  engine    default/c in cq\n");
  }

  @Test
  void theOldestFinishAfterThoseNamedAndOnlyOnce() {
    String finish = STEP + ",{'finish':['default/b','default/c'],'finishOldest':2,'cycles':8}";
    String freed = outcome("'default/b','default/a'", cycle("default/c"), "", "");
    assertThat(play(scenario(finish, OUTCOME + "," + freed)).difference()).isEmpty();

    String wrongOrder = outcome("'default/a','default/b'", cycle("default/c"), "", "");
    assertThat(play(scenario(finish, OUTCOME + "," + wrongOrder)).difference()).hasValue("""
        small differs in step 1, finished:
          expected  default/a
          expected  default/b
          engine    default/b
          engine    default/a
        """);
  }

  @Test
  void workloadsWithAnAdmissionHoldTheirQuotaFromTheStart() {
    String admitted =
        ",\"status\":{\"conditions\":[{\"type\":\"QuotaReserved\",\"status\":\"True\","
            + "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}],\"admission\":{\"clusterQueue\":\"cq\","
            + "\"podSetAssignments\":[{\"name\":\"main\",\"count\":1,\"flavors\":{\"cpu\":\"f\"},"
            + "\"resourceUsage\":{\"cpu\":\"2\"}}]}}}";
    String scenario = scenario(
        "{'submit':['default/b','default/c'],'finishOldest':0,'cycles':8},{'finishOldest':1,'cycles':1}",
        outcome("", cycle("default/b"), "", WAITS) + ","
            + outcome("'default/a'", cycle("default/c"), "", ""));
    int end = scenario.indexOf("}]}}}]}}") + "}]}}}]}".length();
    String restored = scenario.substring(0, end) + admitted + scenario.substring(end + 1);

    assertThat(play(restored).difference()).isEmpty();
  }

  @Test
  void changedObjectsAreApplied() {
    String larger = "{'apply':[{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue',"
        + "'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':"
        + "[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':"
        + "[{'name':'cpu','nominalQuota':'6'}]}]}]}}],'cycles':1}";
    String outcomes = OUTCOME + "," + outcome("", cycle("default/c"), "", "");

    assertThat(play(scenario(STEP + "," + larger, outcomes)).difference()).isEmpty();
  }

  @Test
  void whatTheEngineRefusesIsADifference() {
    String negative = Scenarios.good().replace("\"nominalQuota\":\"4\"", "\"nominalQuota\":\"-4\"");

    assertThat(play(negative).difference().orElseThrow())
        .startsWith("small differs in step 0: the engine refuses: ClusterQueue cq: ")
        .contains("nominalQuota");
  }

  @Test
  void settingsAreTaken() {
    String settings = Scenarios.good()
        .replace(
            "\"config\":{}",
            "\"config\":{\"featureGates\":{\"PartialAdmission\":false,\"SomeNewGate\":true},"
                + "\"fairSharing\":{\"preemptionStrategies\":[\"LessThanInitialShare\"]}}");

    assertThat(play(settings).difference()).isEmpty();
    assertThat(play(settings.replace("[\"LessThanInitialShare\"]", "null")).difference())
        .isEmpty();
  }

  private static ScenarioResult play(String json) {
    return ScenarioPlayer.play(
        ScenarioReader.read(ScenarioReader.scenario(json.replace('\'', '"'))),
        AdmissionEngineUnderTest::create);
  }
}
