package io.kueue4j.examples.conformance;

import static io.kueue4j.examples.conformance.RecordedScenarios.admittedAlone;
import static io.kueue4j.examples.conformance.RecordedScenarios.alone;
import static io.kueue4j.examples.conformance.RecordedScenarios.invalid;
import static io.kueue4j.examples.conformance.RecordedScenarios.json;
import static io.kueue4j.examples.conformance.RecordedScenarios.panic;
import static io.kueue4j.examples.conformance.RecordedScenarios.parked;
import static io.kueue4j.examples.conformance.RecordedScenarios.preempted;
import static io.kueue4j.examples.conformance.RecordedScenarios.preemption;
import static io.kueue4j.examples.conformance.RecordedScenarios.tooLarge;
import static io.kueue4j.examples.conformance.RecordedScenarios.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Joiner;
import io.kueue4j.examples.conformance.ScenarioResult.Verdict;
import io.kueue4j.examples.simulation.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedFileTest {
  @TempDir
  private Path folder;

  @Test
  void sameDecisionsAgree() throws IOException {
    List<ScenarioResult> results = play(
        Joiner.on('\n').join(preemption("a"), alone("b"), tooLarge("c")),
        Joiner.on('\n').join(parked("c"), preempted("a"), admittedAlone("b")));

    assertThat(results)
        .containsExactly(
            ScenarioResult.agreeing("own", "a"),
            ScenarioResult.agreeing("own", "b"),
            ScenarioResult.agreeing("own", "c"));
  }

  @Test
  void anotherPlaceIsADifference() throws IOException {
    ScenarioResult result = playOne(
        alone("a"), admittedAlone("a").replace("\"universal\":\"n1\"", "\"universal\":\"n2\""));

    assertThat(result.difference()).hasValue("""
        a differs in cycle 0:
          expected  assigned default/high by cq: main x 1 {cpu=f} uses {cpu=2000} [kubernetes.io/hostname] [n2:1]
          engine    assigned default/high by cq: main x 1 {cpu=f} uses {cpu=2000} [kubernetes.io/hostname] [n1:1]
        """);
  }

  @Test
  void otherCountsUsageFlavorsQueuesAndDelaysAreDifferences() throws IOException {
    assertDiffers("\"count\":1,\"flavors\"", "\"count\":2,\"flavors\"");
    assertDiffers("Usage\":{\"cpu\":\"2\"}", "Usage\":{\"cpu\":\"2001m\"}");
    assertDiffers("{\"cpu\":\"f\"}", "{\"cpu\":\"g\"}");
    assertDiffers(
        "\"admission\":{\"clusterQueue\":\"cq\"", "\"admission\":{\"clusterQueue\":\"x\"");
    assertDiffers("\"podCounts\":{\"universal\":1}", "\"podCounts\":{\"individual\":[2]}");
    assertDiffers(
        "\"name\":\"main\",\"count\":1",
        "\"name\":\"main\",\"count\":1," + "\"delayedTopologyRequest\":\"Pending\"");
  }

  private void assertDiffers(String recorded, String other) throws IOException {
    String outcome = admittedAlone("a");
    int post = outcome.indexOf(recorded, outcome.lastIndexOf("\"cache\""));
    assertThat(post).as(recorded).isPositive();
    String changed =
        outcome.substring(0, post) + other + outcome.substring(post + recorded.length());

    assertThat(playOne(alone("a"), changed).verdict()).as(other).isEqualTo(Verdict.DIFFERS);
  }

  @Test
  void domainsAreReadInEveryForm() throws IOException {
    String shortened = json("{'individual':{'prefix':'n','roots':[''],'suffix':'1'}}");
    String outcome = admittedAlone("a")
        .replace("{\"universal\":\"n1\"}", shortened)
        .replace("\"podCounts\":{\"universal\":1}", "\"podCounts\":{\"individual\":[1]}");

    assertThat(playOne(alone("a"), outcome).agrees()).isTrue();
  }

  @Test
  void preemptionsAndEvictionsAreCompared() throws IOException {
    assertThat(playOne(preemption("a"), preempted("a").replace("InClusterQueue", "InCohort"))
            .difference())
        .hasValue("""
            a differs in cycle 0:
              expected  preempted default/low (InCohort)
              engine    preempted default/low (InClusterQueue)
            """);
    assertThat(playOne(
                preemption("a"),
                preempted("a").replace("\"type\":\"Evicted\"", "\"type\":\"Requeued\""))
            .difference())
        .hasValue("a differs in cycle 0:\n  engine    evicted default/low (Preempted)\n");
  }

  @Test
  void queuesAreCompared() throws IOException {
    String active = parked("a")
        .replace(
            json("'left':{},'inadmissible':{'cq':['default/low']}"),
            json("'left':{'cq':['default/low']},'inadmissible':{}"));

    assertThat(playOne(tooLarge("a"), active).difference()).hasValue("""
        a differs in cycle 0:
          expected  pending default/low in cq
          engine    inadmissible default/low in cq
        """);
  }

  @Test
  void cyclesAreComparedOneAfterTheOther() throws IOException {
    String twice = preemption("a").replace("\"cycles\":1", "\"cycles\":2");
    String second = preempted("a").replace("\"cycle\":0", "\"cycle\":1");

    assertThat(playOne(twice, preempted("a") + "\n" + second).difference())
        .hasValueSatisfying(text -> assertThat(text).startsWith("a differs in cycle 1:\n"));
    assertThatThrownBy(() -> playOne(twice, preempted("a")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("own.in.gz: line 1: a: cycles: 2, but 1 are recorded");
  }

  @Test
  void whatTheEngineRefusesIsNotCompared() throws IOException {
    ScenarioResult result = playOne(invalid("a"), admittedAlone("a"));

    assertThat(result.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(result.difference()).isEmpty();
    assertThat(result.explanation().orElseThrow()).startsWith("a is refused: ").contains("-4");
  }

  @Test
  void withoutDecisionsOfKueueNothingIsCompared() throws IOException {
    assertThat(play(alone("a") + "\n" + alone("b"), panic("a")))
        .containsExactly(
            ScenarioResult.unrecorded("own", "a"), ScenarioResult.unrecorded("own", "b"));
  }

  @Test
  void settingsAreTaken() throws IOException {
    String settings = alone("a")
        .replace(
            "\"gates\":{}",
            json("'gates':{'PartialAdmission':false,'SomeNewGate':true},"
                + "'afs':{'usageHalfLifeTime':'not what Kueue ran with'}"))
        .replace(
            "\"fairSharing\":null",
            "\"fairSharing\":{\"preemptionStrategies\":[\"LessThanInitialShare\"]}");

    assertThat(playOne(settings, admittedAlone("a")).agrees()).isTrue();
    String usage = admittedAlone("a")
        .replace(
            "\"cycle\":0",
            json("'afs':{'usageHalfLifeTime':'1m10s','usageSamplingInterval':'1s',"
                + "'resourceWeights':{'cpu':2.0}}"));
    assertThat(playOne(settings, usage).agrees()).isTrue();
    assertThatThrownBy(() -> playOne(settings, usage.replace("1m10s", "soon")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("afs.usageHalfLifeTime: soon; expected a duration");
    assertUnusable(
        settings.replace("LessThan", "More"),
        "fairSharing.preemptionStrategies: MoreInitialShare is not a strategy");
    assertUnusable(settings.replace("2026-01-01T10:00:00Z", "noon"), "now: noon; expected a time");
  }

  private void assertUnusable(String scenario, String message) {
    assertThatThrownBy(() -> playOne(scenario, admittedAlone("a")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("own.in.gz: line 1: " + message);
  }

  @Test
  void podsThatRequestMoreThanTheirLimitAreNotAdmitted() throws IOException {
    String limited = alone("a")
        .replace(
            "\"requests\":{\"cpu\":\"2\"}",
            "\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":\"1\"}");

    assertThat(playOne(limited, admittedAlone("a")).difference().orElseThrow())
        .contains("expected  assigned default/high", "engine    inadmissible default/high in cq");
  }

  @Test
  void plainFilesAreReadToo() throws IOException {
    Files.writeString(folder.resolve("plain.up.jsonl"), admittedAlone("a"));
    Path scenarios = Files.writeString(folder.resolve("plain.in.jsonl"), alone("a"));
    List<ScenarioResult> results = new ArrayList<>();
    VectorFile.of(scenarios, true).orElseThrow().play(results::add);

    assertThat(results).containsExactly(ScenarioResult.agreeing("plain", "a"));
  }

  private ScenarioResult playOne(String scenario, String outcomes) throws IOException {
    List<ScenarioResult> results = play(scenario, outcomes);
    assertThat(results).hasSize(1);
    return results.get(0);
  }

  private List<ScenarioResult> play(String scenarios, String outcomes) throws IOException {
    List<ScenarioResult> results = new ArrayList<>();
    VectorFile.of(write(folder, "own", scenarios, outcomes), true).orElseThrow().play(results::add);
    return results;
  }
}
