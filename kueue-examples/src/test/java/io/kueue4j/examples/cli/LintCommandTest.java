package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.kueue4j.core.lint.LintRule;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code lint} finds and prints. Lines with a planted fault end in {@code # fault: RULE}. */
class LintCommandTest {
  private static final Path PLANTED = Path.of("src/test/resources/lint");
  private static final Path TUTORIALS = Path.of("src/main/resources/manifests");
  private static final Pattern FAULT = Pattern.compile("# fault: ([a-z-]+)$");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir
  private Path folder;

  static ImmutableList<Path> planted() throws IOException {
    return files(PLANTED);
  }

  static ImmutableList<Path> tutorials() throws IOException {
    return files(TUTORIALS).stream().filter(Files::isDirectory).collect(toImmutableList());
  }

  private static ImmutableList<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().collect(toImmutableList());
    }
  }

  private static CommandLineRun lint(Object... arguments) {
    return CommandLineRun.of(
        Stream.concat(Stream.of("lint"), Arrays.stream(arguments)).toArray());
  }

  private static JsonNode json(String pointer, Object... arguments) throws IOException {
    CommandLineRun run = lint(
        Stream.concat(Arrays.stream(arguments), Stream.of("--fail-on", "never")).toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return MAPPER.readTree(run.out()).at(pointer);
  }

  private static Object[] arguments(Path file, String format) {
    Stream<Object> options = switch (file.getFileName().toString()) {
      case "slices.yaml" -> Stream.of("--tpu-slices");
      case "loop.yaml" -> Stream.of("--loops", "--loop-jobs", "3");
      default -> Stream.of();
    };
    return Stream.concat(Stream.of(file, "-o", format), options).toArray();
  }

  private static ImmutableList<String> faults(Path file) throws IOException {
    ImmutableList.Builder<String> faults = ImmutableList.builder();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      Matcher fault = FAULT.matcher(lines.get(i));
      if (fault.find()) {
        faults.add((i + 1) + " " + fault.group(1));
      }
    }
    return faults.build();
  }

  @ParameterizedTest
  @MethodSource("planted")
  void plantedFaultsAreFoundWhereTheyAre(Path file) throws IOException {
    JsonNode findings = json("/findings", arguments(file, "json"));
    assertThat(Streams.stream(findings)
            .map(finding ->
                finding.path("line").asInt() + " " + finding.path("rule").asText())
            .toList())
        .isEqualTo(faults(file))
        .isNotEmpty();
    assertThat(findings).allSatisfy(finding -> {
      assertThat(finding.path("file").asText()).isEqualTo(file.toString());
      assertThat(finding.path("advice").asText()).isNotEmpty();
    });
  }

  @Test
  void everyRuleHasAPlantedFault() throws IOException {
    Set<String> planted = new HashSet<>();
    for (Path file : planted()) {
      faults(file).forEach(fault -> planted.add(fault.substring(fault.indexOf(' ') + 1)));
    }
    assertThat(planted)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(LintRule.values()).map(LintRule::toString).toList());
  }

  @ParameterizedTest
  @MethodSource("tutorials")
  void tutorialsHaveNoFaultsOfTheirQueues(Path tutorial) throws IOException {
    JsonNode findings = json("/findings", tutorial, "-o", "json", "--loops", "--loop-jobs", "4");
    // One tutorial has a variant with a cordoned node, beside which its largest job has no room.
    assertThat(Streams.stream(findings).map(finding -> finding.path("rule").asText()))
        .allMatch(rule -> rule.equals("never-admitted"));
    assertThat(findings)
        .allSatisfy(finding ->
            assertThat(lint(tutorial, "--scenarios").out()).contains("  played: ", " waits: "));
  }

  @Test
  void aLoopIsPlayedByTheCommandTest() {
    Path loops = folder.resolve("loops");
    CommandLineRun run =
        lint(PLANTED.resolve("loop.yaml"), "--loops", "--loop-jobs", 4, "--loop-scenarios", loops);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "loops: 3 in 27354 states of 2 groups of ClusterQueues; all worlds of up to 4 jobs");

    CommandLineRun played = CommandLineRun.of("test", loops);
    assertThat(played.out()).contains("3 scenarios, 0 failed");

    CommandLineRun lasting = CommandLineRun.of("test", loops, "--strict-borrowing");
    assertThat(lasting.out()).contains("3 scenarios, 2 failed");
  }

  @Test
  void aLoopOfFairSharingIsPlayedWithTheConfiguration() throws IOException {
    Path file = Files.writeString(
        folder.resolve("fair.yaml"),
        "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, fairSharing: {}}\n---\n"
            + Files.readString(PLANTED.resolve("loop.yaml"))
                .replace("borrowWithinCohort: {policy: LowerPriority}", ""));
    Path loops = folder.resolve("loops");
    assertThat(
            lint(file, "--loops", "--loop-jobs", 3, "--loop-scenarios", loops).out())
        .contains("loops: 1 in ");

    assertThat(CommandLineRun.of("test", loops).out()).contains("1 scenario, 0 failed");
  }

  @Test
  void optionsOfTheSearchForLoopsAreCheckedFirst() throws IOException {
    assertThat(lint(PLANTED, "--loop-jobs", 3).err())
        .isEqualTo("error: --loop-jobs, --loop-states, --loop-arrivals and --loop-scenarios need"
            + " --loops\n");

    Path file = Files.createFile(folder.resolve("file"));
    CommandLineRun run = lint(PLANTED, "--loops", "--loop-scenarios", file);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .endsWith("error: " + file + ": cannot be written: a file; expected a folder\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "--strict-borrowing, 0",
    "--feature-gate=PrioritizePreemptorWorkloads=true, 0"
  })
  void settingsEndLoops(String options, int loops) {
    Object[] arguments = Stream.concat(
            Stream.of(PLANTED.resolve("loop.yaml"), "--loops", "--loop-jobs", 3),
            Arrays.stream(options.split(" ")).filter(option -> !option.isEmpty()))
        .toArray();
    assertThat(lint(arguments).out()).contains("loops: " + loops + " in ");
  }

  @Test
  void boundsOfTheSearchForLoopsAreChecked() {
    CommandLineRun run = lint(PLANTED.resolve("loop.yaml"), "--loops", "--loop-jobs", 11);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("worlds have 11 workloads; expected 1 to 10");
  }

  @Test
  void nothingIsSearchedInAConfigurationThatKueueRefuses() {
    CommandLineRun run = lint(PLANTED.resolve("invalid.yaml"), "--loops");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).doesNotContain("loops:");
  }

  @ParameterizedTest
  @CsvSource({
    "limits.yaml, error, 0",
    "limits.yaml, warning, 1",
    "limits.yaml, note, 1",
    "zero-quota.yaml, warning, 0",
    "zero-quota.yaml, note, 1",
    "missing.yaml, error, 1",
    "missing.yaml, never, 0"
  })
  void theExitCodeIsBySeverity(String file, String least, int exitCode) {
    assertThat(lint(PLANTED.resolve(file), "--fail-on", least).exitCode()).isEqualTo(exitCode);
  }

  @Test
  void theTextSaysPlaceFaultAndChange() {
    Path file = PLANTED.resolve("reclaim.yaml");
    assertThat(lint(file, "--scenarios").out())
        .isEqualTo(file + ":12: warning unreclaimable-quota: ClusterQueue a:"
            + " spec.preemption.reclaimWithinCohort: 4 of its 4 of cpu in flavor default is lent,"
            + " for example to ClusterQueue b, and the queue cannot take it back:"
            + " reclaimWithinCohort is Never\n"
            + "  change: let it reclaim from Any or LowerPriority, or lend less by a lendingLimit\n"
            + "  played with: Namespace lint\n"
            + "  played with: LocalQueue lint/lint-b\n"
            + "  played with: LocalQueue lint/lint-a\n"
            + "  played: lint/lint-1 in LocalQueue lint-b (cpu 10) gets quota in flavor default of"
            + " ClusterQueue b\n"
            + "  played: lint/lint-2 in LocalQueue lint-a (cpu 4) waits: pod set main: cpu in"
            + " flavor default: requests 4, 0 available, 4 more needed (in use 0, nominal quota"
            + " 4), and no workload may be preempted for it\n"
            + "0 errors, 1 warning, 0 notes\n");
  }

  @Test
  void aBaselineOutlivesMovedLinesAndNamesWhatIsGone() throws IOException {
    Path queues = folder.resolve("queues.yaml");
    Path baseline = folder.resolve("baseline.json");
    String limits = Files.readString(PLANTED.resolve("limits.yaml"));
    Files.writeString(queues, limits);
    CommandLineRun written = lint(queues, "--write-baseline", baseline, "--fail-on", "note");
    assertThat(written.exitCode()).isZero();
    assertThat(written.out()).isEmpty();

    Files.writeString(queues, "# One line more\n" + limits.replaceAll(".*borrowingLimit.*\n", ""));
    CommandLineRun run = lint(queues, "--baseline", baseline, "--fail-on", "note");

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out()).isEqualTo("no findings; the baseline accepts 1 more\n");
    assertThat(run.err())
        .startsWith("note: no longer found, so the baseline need not accept it:"
            + " limit-without-effect: ClusterQueue a: ");
  }

  @Test
  void thePageHasTheSeverityOfEachRule() throws IOException {
    assertThat(Files.readString(Path.of("../docs/lint.md")))
        .contains(Arrays.stream(LintRule.values())
            .map(rule -> "\n| `" + rule + "` | " + rule.severity() + " | ")
            .toList());
  }

  @Test
  void aBaselineOutlivesMovedElementsOfLists() throws IOException {
    Path queues = folder.resolve("queues.yaml");
    Path baseline = folder.resolve("baseline.json");
    String text = """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: one}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: two}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: a, namespace: default}
        spec: {clusterQueue: a}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: a}
        spec:
          namespaceSelector: {}
          resourceGroups:
        %s""";
    String two = """
          - coveredResources: [cpu, %s]
            flavors:
            - name: two
              resources:
              - {name: cpu, nominalQuota: 4}
              - {name: %1$s, nominalQuota: 0}
        """;
    String one = """
          - coveredResources: [memory]
            flavors:
            - {name: one, resources: [{name: memory, nominalQuota: 1Gi}]}
        """;
    Files.writeString(queues, text.formatted(two.formatted("example.com/gpu")));
    lint(queues, "--write-baseline", baseline);

    Files.writeString(queues, text.formatted(one + two.formatted("example.com/gpu")));
    assertThat(lint(queues, "--baseline", baseline).out())
        .isEqualTo("no findings; the baseline accepts 1 more\n");
    Files.writeString(queues, text.formatted(one + two.formatted("example.com/tpu")));
    assertThat(lint(queues, "--baseline", baseline).out()).contains("zero-quota");
  }

  @Test
  void anAcceptedLoopIsOnlyMissedWhereLoopsAreSearched() {
    Path queues = PLANTED.resolve("loop.yaml");
    Path baseline = folder.resolve("baseline.json");
    lint(queues, "--loops", "--loop-jobs", 3, "--write-baseline", baseline);

    assertThat(lint(queues, "--baseline", baseline).err()).isEmpty();
    assertThat(lint(queues, "--baseline", baseline, "--loops", "--loop-jobs", 2).err())
        .contains("no longer found, so the baseline need not accept it: preemption-loop: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"accepted\": [{}]} | no baseline; expected what lint --write-baseline has written",
        "[]                   | no baseline; expected what lint --write-baseline has written",
        "{                    | no baseline, since it is not JSON: "
      })
  void whatIsNoBaselineIsSaid(String text, String message) throws IOException {
    Path baseline = Files.writeString(folder.resolve("baseline.json"), text);
    CommandLineRun run = lint(PLANTED.resolve("limits.yaml"), "--baseline", baseline);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: " + baseline + ": " + message);
  }

  @Test
  void sarifNamesRulesPlacesAndFingerprints() throws IOException {
    Path file = Files.copy(PLANTED.resolve("limits.yaml"), folder.resolve("my queues.yaml"));
    JsonNode log = json("", file, "-o", "sarif");

    assertThat(log.path("version").asText()).isEqualTo("2.1.0");
    JsonNode run = log.at("/runs/0");
    JsonNode result = run.at("/results/0");
    assertThat(run.at("/tool/driver/rules")).hasSize(LintRule.values().length);
    assertThat(Streams.stream(run.at("/tool/driver/rules")).map(rule -> rule.path("id")))
        .doesNotHaveDuplicates()
        .contains(result.path("ruleId"));
    assertThat(result.path("level").asText()).isEqualTo("warning");
    JsonNode place = result.at("/locations/0/physicalLocation");
    assertThat(place.at("/artifactLocation/uri").asText())
        .startsWith("file:///")
        .endsWith("/my%20queues.yaml");
    assertThat(place.at("/region/startLine").asInt()).isEqualTo(19);
    assertThat(Streams.stream(run.path("results"))
            .map(each -> each.at("/partialFingerprints/kueue4jFinding~1v1").asText()))
        .doesNotHaveDuplicates()
        .allMatch(text -> text.matches("[0-9a-f]{32}"));
  }

  @Test
  void sarifHasRelativeAddressesOfRelativePaths() throws IOException {
    Path file = PLANTED.resolve("limits.yaml");
    assertThat(json("/runs/0/results/0/locations/0/physicalLocation", file, "-o", "sarif")
            .at("/artifactLocation/uri")
            .asText())
        .isEqualTo("src/test/resources/lint/limits.yaml");
  }

  @Test
  void aColonInANameIsNoSchemeInSarif() throws IOException {
    Path text = Files.copy(PLANTED.resolve("limits.yaml"), Path.of("2026:limits.yaml"));
    try {
      assertThat(json("/runs/0/results/0/locations/0/physicalLocation", text, "-o", "sarif")
              .at("/artifactLocation/uri")
              .asText())
          .isEqualTo("./2026:limits.yaml");
    } finally {
      Files.delete(text);
    }
  }
}
