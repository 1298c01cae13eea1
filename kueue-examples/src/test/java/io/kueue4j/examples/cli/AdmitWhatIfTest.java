package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ObjectArrays;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admit --what-if}: the effect of other queues, and the messages. */
final class AdmitWhatIfTest {
  private static final String TPU = "001-tpu-multislice-jobset";
  private static final Path DOUBLED = Path.of("src/main/resources/what-if/48-chips.yaml");
  private static final String LARGEST_FIRST =
      "multislice-3slice,multislice-2slice,multislice-1slice";

  @TempDir
  private Path folder;

  private static CommandLineRun admit(Object[] files, Object... more) {
    return CommandLineRun.of(
        ObjectArrays.concat(new Object[] {"admit"}, with(files, more), Object.class));
  }

  private static Object[] slices() {
    return with(files(TPU, "10-kueue.yaml", "20-jobsets-autopilot.yaml"), "--order", LARGEST_FIRST);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("what-if.yaml"), text);
  }

  @Test
  void moreQuotaStartsWhatWaits() {
    CommandLineRun run = admit(slices(), "--what-if", DOUBLED);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWith("""

            WHAT IF %s:
            NAME                NAMESPACE   QUEUE              STATUS                FLAVORS            REASON
            multislice-2slice   default     multislice-queue   Pending -> Admitted   <none> -> vlp-24
            multislice-1slice   default     multislice-queue   Pending -> Admitted   <none> -> vlp-24

            NAME            PENDING WORKLOADS   ADMITTED WORKLOADS   USAGE
            cluster-queue   2 -> 0              1 -> 3               vlp-24: google.com/tpu 24/24 -> 48/48
            """.formatted(DOUBLED));
  }

  @Test
  void whatIsShownBeforeIsAsWithoutTheQuestion() {
    CommandLineRun asked = admit(slices(), "--what-if", DOUBLED);
    CommandLineRun notAsked = admit(slices());

    assertThat(asked.out()).startsWith(notAsked.out());
    assertThat(notAsked.out()).doesNotContain("WHAT IF");
  }

  @Test
  void aPolicyStopsJobsAndSaysForWhom() {
    CommandLineRun run = admit(
        with(
            files(
                TPU,
                "10-kueue.yaml",
                "41-priority-class.yaml",
                "20-jobsets-autopilot.yaml",
                "42-jobset-low-priority-autopilot.yaml"),
            "--order",
            LARGEST_FIRST + ",low-priority"),
        "--what-if",
        files(TPU, "40-kueue-preemption.yaml")[0]);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().substring(run.out().indexOf("WHAT IF")))
        .containsPattern("multislice-3slice .* Admitted -> Pending +vlp-24 -> <none> +"
            + "preempted for low-priority \\(InClusterQueue\\); pod set slice: google.com/tpu")
        .containsPattern("multislice-2slice .* Pending -> Admitted")
        .containsPattern("low-priority .* Pending -> Admitted")
        .doesNotContain("multislice-1slice")
        .containsPattern("cluster-queue +3 -> 2 +1 -> 2 +vlp-24: google.com/tpu 24/24\\R");
  }

  @Test
  void itStartsFromTheLastPhase() {
    CommandLineRun run =
        admit(with(slices(), "--finish", "multislice-3slice"), "--what-if", DOUBLED);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("PHASE 2").endsWith("Nothing would differ.\n");
  }

  @Test
  void theSameQueueAgainMakesNoDifference() {
    Object[] queues = files(TPU, "10-kueue.yaml");

    CommandLineRun run = admit(slices(), "--strict", "--what-if", queues[0]);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).endsWith("WHAT IF " + queues[0] + ":\nNothing would differ.\n");
  }

  @Test
  void aNewQueueTakesInWhatWaitsForIt() throws IOException {
    Path queue = file("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: multislice-queue, namespace: default}
        spec: {clusterQueue: other}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: other}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [google.com/tpu]
            flavors: [{name: vlp-24, resources: [{name: google.com/tpu, nominalQuota: 16}]}]
        """);

    CommandLineRun run = admit(slices(), "--what-if", queue);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().substring(run.out().indexOf("WHAT IF")))
        .containsPattern("multislice-2slice .* Pending -> Admitted")
        .doesNotContain("multislice-1slice", "multislice-3slice")
        .containsPattern("cluster-queue +2 -> 0 +1 +vlp-24: google.com/tpu 24/24\\R")
        .containsPattern("other +<none> -> 1 +<none> -> 1 +vlp-24: google.com/tpu <none> -> 16/16");
  }

  @Test
  void jsonHasBothSides() {
    Admit admit = Admit.json(with(slices(), "--what-if", DOUBLED));

    assertThat(admit.whatIf().at("/workloads/0/before/status").asText()).isEqualTo("Pending");
    assertThat(admit.whatIf().at("/workloads/0/after/status").asText()).isEqualTo("Admitted");
    assertThat(admit.whatIf().at("/workloads/0/reasons")).isEmpty();
    assertThat(admit.whatIf().at("/workloads")).hasSize(2);
    assertThat(admit.whatIf().at("/clusterQueues")).isEqualTo(Admit.parse("""
        [{"name": "cluster-queue",
          "before": {"name": "cluster-queue", "pending": 2, "admitted": 1, "cohort": null,
                     "queueingStrategy": "BestEffortFIFO", "active": true, "inactivity": null,
                     "usage": {"vlp-24": {"google.com/tpu": "24"}},
                     "nominalQuota": {"vlp-24": {"google.com/tpu": "24"}}},
          "after": {"name": "cluster-queue", "pending": 0, "admitted": 3, "cohort": null,
                    "queueingStrategy": "BestEffortFIFO", "active": true, "inactivity": null,
                    "usage": {"vlp-24": {"google.com/tpu": "48"}},
                    "nominalQuota": {"vlp-24": {"google.com/tpu": "48"}}}}]
        """));
  }

  @Test
  void jsonWithoutTheQuestionHasNoAnswer() {
    assertThat(Admit.json(slices()).whatIf().isMissingNode()).isTrue();
  }

  @Test
  void jobsInTheFileArePassedOver() {
    Object[] jobs = files(TPU, "20-jobsets-autopilot.yaml");

    CommandLineRun run = admit(slices(), "--what-if", jobs[0]);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("warning: ")
            && line.contains("kind: passed over: a change takes configuration and pods on nodes"));
    assertThat(run.out()).endsWith("Nothing would differ.\n");
    assertThat(admit(slices(), "--strict", "--what-if", jobs[0]).exitCode()).isEqualTo(2);
  }

  @Test
  void unknownKindsAreReportedOnce() throws IOException {
    Path unknown = file("""
        apiVersion: example.com/v1
        kind: Unheard
        metadata: {name: a}
        """);

    CommandLineRun run = admit(slices(), "--what-if", unknown);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines()).hasSize(1);
  }

  @Test
  void whatBreaksRulesIsAnErrorWithItsPlace() throws IOException {
    Path broken = file("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cluster-queue}
        spec:
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: x, resources: [{name: cpu, nominalQuota: -1}]}]
        """);

    CommandLineRun run = admit(slices(), "--what-if", broken);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("error: " + broken + ": document 1, line 7")
        .contains("nominalQuota: -1 is negative");
  }

  @Test
  void whatCannotBeReadIsAnError() {
    Path missing = folder.resolve("missing.yaml");

    CommandLineRun run = admit(slices(), "--what-if", missing);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(missing + ": no such file");
  }
}
