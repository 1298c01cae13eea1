package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.SampleManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Typing errors and extreme values in manifests: the message names the position and the likely
 * intention.
 */
final class MisspelledInputTest {
  private static final String MANIFESTS = SampleManifests.QUEUES + "---\n" + SampleManifests.JOB;
  private static final String QUOTA =
      "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: ";

  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nominalQuota: | nominalQouta: | document 2, line 18, column 9: " + QUOTA
            + "missing; expected a quantity such as 2, 500m or 10Gi; is \"nominalQouta\" a"
            + " misspelling of it?",
        "name: train | name: a/b | document 4, line 32, column 9: metadata.name: \"a/b\"; expected"
            + " lower-case letters, digits, '-' and '.', with a letter or digit first and last",
        "name: train | generateName: A_ | document 4, line 32, column 17: metadata.generateName:"
            + " \"A_00001\"; expected lower-case letters, digits, '-' and '.', with a letter or"
            + " digit first and last",
        "namespaceSelector: {} | namespaceSelector: {matchLabels: {a b: c d}} | document 2, line 12,"
            + " column 23: spec.namespaceSelector.matchLabels: \"a b\" is not a label key",
      })
  void anErrorNamesThePlaceAndWhatIsMeant(String good, String bad, String message)
      throws IOException {
    CommandLineRun run = admit(good, bad);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: ").get(0))
        .isEqualTo("error: " + folder.resolve("x.yaml") + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: ClusterQueue | kind: ClusterQeueu | document 2, line 7, column 7: kind: passed over:"
            + " ClusterQeueu of kueue.x-k8s.io/v1beta2 is not known; did you mean"
            + " \"ClusterQueue\"?",
        "kind: Job | kind: Jbo | document 4, line 30, column 7: kind: passed over: Jbo of batch/v1"
            + " is not known; did you mean \"Job\"?",
        "nominalQuota: 4 | nominalQuota: 9999999999999999999999E | document 2, line 19, column 23: "
            + QUOTA + "\"9999999999999999999999E\" is beyond 9223372036854775807, the largest"
            + " quantity of Kubernetes, and counts as unlimited",
      })
  void aWarningNamesThePlaceAndWhatIsMeant(String good, String bad, String message)
      throws IOException {
    CommandLineRun run = admit(good, bad);

    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines("warning: "))
        .startsWith("warning: " + folder.resolve("x.yaml") + ": " + message);
  }

  @Test
  void theLargestQuantityMeansUnlimitedWithoutAWarning() throws IOException {
    assertThat(admit("nominalQuota: 4", "nominalQuota: 9223372036854775807").err())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"63, 0", "64, 2", "254, 2", "10000, 2"})
  void theNameOfAJobHas63CharactersAtMost(int length, int exitCode) throws IOException {
    CommandLineRun run = admit("name: train", "name: " + "a".repeat(length));

    assertThat(run.exitCode()).isEqualTo(exitCode);
    if (exitCode != 0) {
      assertThat(run.err())
          .contains("metadata.name: " + length + " characters; expected at most ")
          .hasSizeLessThan(500);
    }
  }

  @Test
  void remarksThatAreAlikeAreCounted() throws IOException {
    Path many = Files.writeString(
        folder.resolve("many.yaml"),
        "---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n".repeat(20_000));

    CommandLineRun run = CommandLineRun.of("admit", write(MANIFESTS).toString(), many.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines("warning: "))
        .hasSize(4)
        .last()
        .isEqualTo("warning: kind: passed over: Thing of example.com/v1 is not known (at 19997 more"
            + " places)");
  }

  @Test
  void withoutJobsThereIsNoneToOrder() throws IOException {
    Path file = write(MANIFESTS.replace("kueue.x-k8s.io/queue-name", "app"));

    assertThat(CommandLineRun.of("admit", file.toString(), "--order", "nope").errLines("error: "))
        .containsExactly("error: --order: there is no job nope; the manifests have no job that"
            + " names a queue");
  }

  @Test
  void whatIsWrongInTheConfigurationOfKueueIsNoDefect() throws IOException {
    Path file = write(MANIFESTS + """
        ---
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        resources:
          deviceClassMappings:
          - {name: a, deviceClassNames: [x, x]}
        """);

    CommandLineRun run = CommandLineRun.of("admit", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .containsExactly("error: " + file + ": document 5, line 51, column 15:"
            + " resources.deviceClassMappings[0].deviceClassNames: \"x\" is named twice");
  }

  private CommandLineRun admit(String good, String bad) throws IOException {
    assertThat(MANIFESTS).contains(good);
    return CommandLineRun.of("admit", write(MANIFESTS.replace(good, bad)).toString());
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("x.yaml"), text);
  }
}
