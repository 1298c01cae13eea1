package io.kueue4j.examples.cli;

import static io.kueue4j.examples.SampleManifests.JOB;
import static io.kueue4j.examples.SampleManifests.QUEUES;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ObjectArrays;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that cannot be used, or only in part, and the messages about it. */
final class BadInputTest {
  @TempDir
  private Path folder;

  @Test
  void goodInputSaysNothingOnStandardError() throws IOException {
    CommandLineRun run = admit("--strict", queues(QUEUES), job(JOB));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("train", "Admitted", "spot", "cpu 2/4");
  }

  @Test
  void aMisspeltFieldIsAWarningAndAnErrorIfStrict() throws IOException {
    Path queues = queues(QUEUES.replace("cohortName", "cohortNmae"));
    Path job = job(JOB.replace("suspend:", "suspended:"));

    CommandLineRun lenient = admit(queues, job);
    assertThat(lenient.exitCode()).isZero();
    assertThat(lenient.out()).contains("Admitted");
    assertThat(lenient.err().lines())
        .containsExactly(
            "warning: " + queues + ": document 2, line 11, column 15: spec.cohortNmae: "
                + "unknown field; did you mean \"cohortName\"?",
            "warning: " + job
                + ": document 1, line 8, column 14: spec.suspended: unknown field; did you mean \"suspend\"?");

    CommandLineRun strict = admit("--strict", queues, job);
    assertFailed(strict);
    assertThat(strict.errLines("error: ")).hasSize(2);
    assertThat(strict.err()).contains("document 2", "spec.cohortNmae", "spec.suspended");
  }

  @Test
  void aWarningIsGivenOnceForAFileThatIsGivenTwice() throws IOException {
    Path job =
        job(JOB.replace("name: train", "generateName: train-").replace("suspend:", "suspended:"));

    CommandLineRun run = admit(queues(QUEUES), job, job);

    assertThat(run.errLines("warning: ")).hasSize(1);
    assertThat(run.out()).contains("train-00001", "train-00002");
  }

  @Test
  void aDanglingReferenceIsAWarningAndAnErrorIfStrict() throws IOException {
    Path file = Files.writeString(folder.resolve("dangling.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: default},
         spec: {clusterQueue: gone}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: tas},
         spec: {topologyName: racks, nodeLabels: {pool: tas}}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: cq},
         spec: {namespaceSelector: {}, admissionChecksStrategy: {admissionChecks: [{name: budget}]},
           resourceGroups: [{coveredResources: [cpu], flavors: [
             {name: a100, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
        """);

    CommandLineRun lenient = admit(file);
    assertThat(lenient.exitCode()).isZero();
    assertThat(lenient.errLines("warning: "))
        .hasSize(4)
        .anyMatch(line -> line.contains("spec.clusterQueue: there is no ClusterQueue gone"))
        .anyMatch(line -> line.contains("spec.topologyName: there is no Topology racks"))
        .anyMatch(line -> line.contains("there is no AdmissionCheck budget"))
        .anyMatch(line -> line.contains("spec.resourceGroups: there is no ResourceFlavor a100"));
    assertFailed(admit("--strict", file));
  }

  @Test
  void aRuntimeClassThatDoesNotExistIsAWarning() throws IOException {
    Path job = job(JOB.replace("restartPolicy", "runtimeClassName: box\n      restartPolicy"));

    CommandLineRun run = admit(queues(QUEUES), job);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .startsWith("warning: " + job + ": document 1, line ")
        .contains("spec: there is no RuntimeClass box; its overhead is missing in the requests");
    assertThat(run.out()).contains("Admitted", "cpu 2/4");
  }

  @Test
  void aPodTemplateWithoutContainers() throws IOException {
    String template =
        JOB.substring(JOB.indexOf("      containers:"), JOB.indexOf("      restartPolicy"));

    CommandLineRun run = admit(queues(QUEUES), job(JOB.replace(template, "")));

    assertFailed(run);
    assertThat(run.err())
        .contains("spec.template.spec.containers: empty; expected at least one container");
  }

  @Test
  void anEmptyItemOfAListIsNamed() throws IOException {
    CommandLineRun jobSet = admit(queues(QUEUES), job("""
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: set, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec: {replicatedJobs: [null]}
        """));
    CommandLineRun job =
        admit(queues(QUEUES), job(JOB.replace("- name: main", "-\n      - name: main")));

    assertFailed(jobSet);
    assertThat(jobSet.err())
        .contains("line 4", "spec.replicatedJobs[0]: empty; expected an element, or none at all");
    assertFailed(job);
    assertThat(job.err()).contains("spec.template.spec.containers[0]: empty");
  }

  @Test
  void aCycleOfCohortsIsReportedOnce() throws IOException {
    String cohorts = """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: b}, spec: {parentName: c}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: c}, spec: {parentName: a}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: a}, spec: {parentName: b}}
        ---
        """;

    CommandLineRun run = admit(queues(cohorts + QUEUES), job(JOB));

    assertFailed(run);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .contains("spec.parentName: makes a cycle of cohorts: a -> b -> c -> a; remove one parent");
  }

  @Test
  void aClusterQueueThatDoesNotTakePartIsReportedWithTheReason() throws IOException {
    CommandLineRun run = admit(
        queues(QUEUES.replace("name: spot", "name: gone").replaceFirst("name: gone", "name: spot")),
        job(JOB));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines())
        .contains("Inactive: FlavorNotFound: ClusterQueue research names the ResourceFlavor gone,"
            + " which does not exist");
    assertThat(admit(queues(QUEUES), job(JOB)).out()).doesNotContain("Inactive");
  }

  @Test
  void aBadQuantityOfAQuota() throws IOException {
    Path queues = queues(QUEUES.replace("nominalQuota: 4", "nominalQuota: 4GB"));

    assertOneError(
        admit(queues, job(JOB)),
        queues,
        "document 2, line 19, column 23",
        "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota",
        "\"4GB\"");
  }

  @Test
  void aBadQuantityOfAJob() throws IOException {
    Path job = job(JOB.replace("cpu: \"2\"", "cpu: two"));

    assertOneError(
        admit(queues(QUEUES), job),
        job,
        "document 1, line 16",
        "spec.template.spec.containers[0].resources.requests",
        "\"two\"");
  }

  @Test
  void aNegativeQuantityOfAJob() throws IOException {
    Path job = job(JOB.replace("cpu: \"2\"", "cpu: -2"));

    assertOneError(admit(queues(QUEUES), job), job, "document 1, line 16", "requests", "negative");
  }

  @Test
  void aCycleOfCohorts() throws IOException {
    Path cohorts = Files.writeString(folder.resolve("cohorts.yaml"), """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: all}
        spec: {parentName: other}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: other}
        spec: {parentName: all}
        """);
    CommandLineRun run = admit(queues(QUEUES), cohorts);

    assertFailed(run);
    assertThat(run.err()).contains(cohorts + ": document ", "spec.parentName", "cycle");
  }

  @Test
  void aLendingLimitAboveTheNominalQuota() throws IOException {
    Path queues =
        queues(QUEUES.replace("nominalQuota: 4", "nominalQuota: 4\n        lendingLimit: 5"));

    assertOneError(
        admit(queues),
        queues,
        "document 2, line 20",
        "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit",
        "5");
  }

  @Test
  void aJobOfAnUnknownQueueWaitsAndIsAnErrorIfStrict() throws IOException {
    Path job = job(JOB.replace("queue-name: queue", "queue-name: queeu"));

    Admit lenient = Admit.json(queues(QUEUES), job);
    assertThat(lenient.names(0, "Pending")).containsExactly("train");
    assertThat(lenient.job(0, "train").get("clusterQueue").isNull()).isTrue();
    assertThat(lenient.reasons(0, "train")).contains("LocalQueue", "queeu");

    assertOneError(
        admit("--strict", queues(QUEUES), job),
        job,
        "document 1, line 6",
        "metadata.labels[kueue.x-k8s.io/queue-name]",
        "queeu");
  }

  @Test
  void aJobWithoutAQueueIsPassedOverAndAnErrorIfStrict() throws IOException {
    Path job = job(JOB.replace("kueue.x-k8s.io/queue-name: queue", "app: train"));

    CommandLineRun lenient = admit(queues(QUEUES), job);
    assertThat(lenient.exitCode()).isZero();
    assertThat(lenient.out()).contains("No jobs.").doesNotContain("train");
    assertThat(lenient.err().lines())
        .singleElement()
        .asString()
        .startsWith("warning: " + job + ": document 1, line 3")
        .contains("passed over", "names no queue");

    assertOneError(admit("--strict", queues(QUEUES), job), job, "document 1", "names no queue");
  }

  @Test
  void otherKindsArePassedOverAndAnErrorIfStrict() throws IOException {
    Path other = Files.writeString(folder.resolve("other.yaml"), """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        ---
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: quota}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: MultiKueueConfig
        metadata: {name: check}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: pod}
        """);

    CommandLineRun lenient = admit(queues(QUEUES), job(JOB), other);
    assertThat(lenient.exitCode()).isZero();
    assertThat(lenient.out()).contains("Admitted");
    assertThat(lenient.errLines("warning: " + other)).hasSize(4);
    assertThat(lenient.err())
        .contains(
            "Deployment web names no queue",
            "ResourceQuota of v1",
            "MultiKueueConfig of ",
            "Pod of v1");

    CommandLineRun strict = admit("--strict", queues(QUEUES), job(JOB), other);
    assertFailed(strict);
    assertThat(strict.errLines("error: " + other)).hasSize(4);
  }

  @Test
  void twoJobsOfOneNameAreOne() throws IOException {
    Path job = job(JOB);
    CommandLineRun run = admit(queues(QUEUES), job, job);

    assertThat(run.out().lines().filter(line -> line.startsWith("train "))).hasSize(1);
    assertThat(run.errLines("warning: ")).singleElement().asString().contains("already a Job");
  }

  @Test
  void everyProblemOfAFileIsReportedUpToALimit() throws IOException {
    Path queues = queues(QUEUES
        .replace("nominalQuota: 4", "nominalQuota: x")
        .replace("namespaceSelector: {}", "namespaceSelector: {}\n  stopPolicy: Never"));
    CommandLineRun two = admit(queues, job(JOB));
    assertFailed(two);
    assertThat(two.errLines("error: " + queues)).hasSize(2);

    Path many = Files.writeString(folder.resolve("many.yaml"), "---\nkind: Job\n".repeat(100));
    CommandLineRun hundred = admit(many);
    assertFailed(hundred);
    assertThat(hundred.errLines("error: "))
        .hasSize(21)
        .last()
        .asString()
        .isEqualTo("error: and 80 more");
  }

  @Test
  void pathsWithoutObjects() throws IOException {
    Path comments = Files.writeString(folder.resolve("comments.yaml"), "# nothing\n---\n---\n");
    assertOneError(admit(comments), comments, "no Kubernetes object");

    Path empty = Files.createFile(folder.resolve("empty.yaml"));
    assertOneError(admit(empty), empty, "document 1", "empty");
  }

  @Test
  void aFolderWithoutManifests() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("docs"));
    Files.writeString(empty.resolve("README.md"), "# text");
    Files.createDirectory(empty.resolve("folder.yaml"));

    assertOneError(admit(empty), empty, "no manifests in this folder");
  }

  @Test
  void aFileThatIsNotThere() {
    Path missing = folder.resolve("missing.yaml");

    assertOneError(admit(missing), missing, "no such file");
  }

  @Test
  void aFileThatCannotBeRead() throws IOException {
    Path loop = folder.resolve("loop.yaml");
    Files.createSymbolicLink(loop, loop);

    assertOneError(admit(loop), loop, "cannot be read", "symbolic links");
  }

  @Test
  void tenMegabytesOfRandomBytes() throws IOException {
    byte[] junk = new byte[10 << 20];
    new Random(1).nextBytes(junk);
    Path file = Files.write(folder.resolve("junk.yaml"), junk);

    assertOneError(admit(file), file, "document 1, line ", "not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "[", "{", "- ", "a: ", "\"", "&a *a ", "!!x ", "\t", "%", "\0"})
  void tenMegabytesOfText(String piece) throws IOException {
    byte[] junk = piece.repeat((10 << 20) / piece.length()).getBytes(US_ASCII);
    Path file = Files.write(folder.resolve("junk.yaml"), junk);

    assertOneError(admit(file), file, "document 1");
  }

  @Test
  void anUnknownNameToOrderOrToFinish() throws IOException {
    assertThat(admit(queues(QUEUES), job(JOB), "--order", "tarin").err().lines())
        .containsExactly("error: --order: there is no job tarin; there are train");
    assertThat(admit(queues(QUEUES), job(JOB), "--finish", "tarin").err().lines())
        .containsExactly("error: there is no job tarin that could finish; there are train");
  }

  @Test
  void aJobThatDoesNotRunCannotFinish() throws IOException {
    Path job = job(JOB.replace("cpu: \"2\"", "cpu: \"5\""));

    CommandLineRun pending = admit(queues(QUEUES), job, "--finish", "train");
    assertFailed(pending);
    assertThat(pending.err()).contains("job train cannot finish: it is Pending, expected Admitted");

    CommandLineRun twice =
        admit(queues(QUEUES), job(JOB), "--finish", "train", "--finish", "default/train");
    assertFailed(twice);
    assertThat(twice.err()).contains("it is Finished");
  }

  private Path queues(String text) throws IOException {
    return Files.writeString(folder.resolve("queues.yaml"), text);
  }

  private Path job(String text) throws IOException {
    return Files.writeString(folder.resolve("job.yaml"), text);
  }

  private static CommandLineRun admit(Object... arguments) {
    return CommandLineRun.of(ObjectArrays.concat(new Object[] {"admit"}, arguments, Object.class));
  }

  private static void assertOneError(CommandLineRun run, Path file, String... parts) {
    assertFailed(run);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: " + file + ": ")
        .contains(parts);
  }

  private static void assertFailed(CommandLineRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: ").doesNotContain("Exception", "\tat ");
  }
}
