package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.examples.CommandLineRun;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The output of {@code tpu study}, on small runs. */
final class TpuStudyCommandTest {
  private static String run(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(with(new Object[] {"tpu", "study"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  /** {@return mean utilisation by policy} */
  private static ToDoubleFunction<String> utilisation(String scenario, String jobs) {
    JsonNode root =
        Admit.parse(run("--scenario", scenario, "--jobs", jobs, "--no-times", "-o", "json"));
    ImmutableMap.Builder<String, Double> figures = ImmutableMap.builder();
    for (JsonNode policy : root.get("scenarios").get(0).get("policies")) {
      figures.put(
          policy.get("name").asText(), policy.get("mean").get("utilisation").asDouble());
    }
    ImmutableMap<String, Double> byName = figures.buildOrThrow();
    return name -> Objects.requireNonNull(byName.get(name), name);
  }

  @Test
  void isTheSameEachTime() {
    String once = run("--jobs", "20", "--no-times");

    assertThat(run("--jobs", "20", "--no-times")).isEqualTo(once);
    assertThat(once.lines().filter(line -> line.startsWith("SCENARIO "))).hasSize(8);
    assertThat(run("--jobs", "20", "--no-times", "--seeds", "4,5,6")).isNotEqualTo(once);
  }

  @Test
  void saysWhatItIsAStudyOf() {
    List<String> lines = run(
            "--scenario",
            "pods-bad-hosts",
            "--policy",
            "first-fit,count-bound",
            "--jobs",
            "100",
            "--seed",
            "7",
            "--no-times")
        .lines()
        .toList();

    assertThat(lines.get(0)).contains("one synthetic family", "the same for each policy");
    assertThat(lines.get(2))
        .isEqualTo("SCENARIO pods-bad-hosts: 8 pods with 3 bad hosts of 64 in each, jobs are lost");
    assertThat(lines.get(3)).isEqualTo("load 0.90 of all chips; 100 jobs for each of seed 7");
    assertThat(lines.get(4))
        .isEqualTo("mix: 2x2 30 %, 2x4 20 %, 4x4 20 %, 4x8 15 %, 8x8 10 %, 8x16 5 %");
    assertThat(Splitter.onPattern(" {2,}").splitToList(lines.get(5)))
        .containsExactly(
            "POLICY",
            "UTILISATION",
            "BY SEED",
            "ACCEPTED",
            "CHIPS ACCEPTED",
            "MOVES/JOB",
            "MOVED CHIPS");
    assertThat(lines.get(6)).startsWith("first-fit ");
    assertThat(lines.get(7)).startsWith("count-bound ");
    assertThat(lines).hasSize(8);
  }

  @Test
  void timesAreShownUnlessNegated() {
    assertThat(run("--scenario", "pod-fifo", "--policy", "kueue4j", "--jobs", "50"))
        .contains("US/FIT");
  }

  @Test
  void movingSlicesClosesMostOfTheGapOnABacklog() {
    ToDoubleFunction<String> figures = utilisation("pod-backlog", "2500");

    assertThat(figures.applyAsDouble("kueue4j")).isGreaterThan(figures.applyAsDouble("first-fit"));
    assertThat(figures.applyAsDouble("kueue4j-moves-1"))
        .isGreaterThan(figures.applyAsDouble("kueue4j") + 0.04);
    assertThat(figures.applyAsDouble("kueue4j-moves-2"))
        .isGreaterThan(figures.applyAsDouble("kueue4j-moves-1"));
    assertThat(figures.applyAsDouble("kueue4j-moves-4"))
        .isGreaterThan(figures.applyAsDouble("kueue4j-moves-1"));
    assertThat(figures.applyAsDouble("count-bound"))
        .isGreaterThan(figures.applyAsDouble("kueue4j-moves-2"));
    assertThat(figures.applyAsDouble("kueue4j-moves-2")).isGreaterThan(0.93);
  }

  @Test
  void withBadHostsFirstFitAndAlignedBlocksWaste() {
    ToDoubleFunction<String> figures = utilisation("pods-bad-hosts", "1000");

    assertThat(figures.applyAsDouble("kueue4j"))
        .isGreaterThan(figures.applyAsDouble("first-fit") + 0.06)
        .isGreaterThan(figures.applyAsDouble("aligned-first-fit") + 0.08)
        .isGreaterThan(figures.applyAsDouble("largest-rectangle") + 0.04)
        .isGreaterThan(figures.applyAsDouble("contact") + 0.02);
    assertThat(figures.applyAsDouble("kueue4j-moves-1"))
        .isGreaterThan(figures.applyAsDouble("kueue4j"));
    assertThat(figures.applyAsDouble("count-bound"))
        .isGreaterThan(figures.applyAsDouble("kueue4j-moves-4"));
  }

  @Test
  void spreadingAndContiguityCostMuchOnCubes() {
    ToDoubleFunction<String> figures = utilisation("cubes-64", "2500");

    assertThat(figures.applyAsDouble("spread")).isLessThan(figures.applyAsDouble("random"));
    assertThat(figures.applyAsDouble("random")).isLessThan(figures.applyAsDouble("kueue4j") - 0.03);
    assertThat(figures.applyAsDouble("torus-first-fit"))
        .isLessThan(figures.applyAsDouble("kueue4j") - 0.06);
    assertThat(figures.applyAsDouble("kueue4j"))
        .isGreaterThan(figures.applyAsDouble("count-bound") - 0.02);
  }

  @Test
  void listsWhatThereIs() {
    assertThat(run("--list"))
        .startsWith("SCENARIO ")
        .containsPattern("pod-loss +aligned-buddy +the smallest free aligned block\n")
        .containsPattern("pod-loss +kueue4j-moves-1 +the same, and at most 1 slice moved to make")
        .containsPattern("cubes-144 +torus-first-fit +.*4x6x6");
  }

  @Test
  void printsJson() {
    JsonNode root = Admit.parse(
        run("--scenario", "cubes-64", "--policy", "kueue4j", "--jobs", "60", "-o", "json"));

    JsonNode scenario = root.get("scenarios").get(0);
    assertThat(root.get("scenarios")).hasSize(1);
    assertThat(scenario.get("name").asText()).isEqualTo("cubes-64");
    assertThat(scenario.get("mixPercent").get("8x16x16").asInt()).isEqualTo(1);
    assertThat(scenario.get("jobs").asInt()).isEqualTo(60);
    JsonNode policy = scenario.get("policies").get(0);
    assertThat(policy.get("seeds")).hasSize(3);
    assertThat(policy.get("seeds").get(2).get("seed").asLong()).isEqualTo(3);
    assertThat(policy.get("mean").get("utilisation").asDouble()).isBetween(0.0, 1.0);
    assertThat(policy.get("mean").has("microsPerFit")).isTrue();
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(error("--scenario", "pod"))
        .startsWith("error: --scenario is pod, expected one of pod-loss, pod-backlog, ");
    assertThat(error("--policy", "best"))
        .startsWith("error: --policy is best, expected one of first-fit, aligned-first-fit, ");
    assertThat(error("--scenario", "cubes-64", "--policy", "contact")).contains("expected one of");
    assertThat(error("--jobs", "0")).startsWith("error: --jobs is 0, expected 1 or more");
    assertThat(error("--seeds", "x")).startsWith("error: Invalid value for option '--seeds'");
  }

  private static String error(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(with(new Object[] {"tpu", "study"}, arguments));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }
}
