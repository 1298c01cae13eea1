package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Well-formed input with extreme content. */
class TroublesomeInputTest {
  private static final String FLAVOR = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      """;

  @TempDir
  private Path folder;

  private static String queue(String name, String more) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec:
          cohortName: pool
          namespaceSelector: {}
          %2$s
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: %1$s},
         spec: {clusterQueue: %1$s}}
        """.formatted(name, more);
  }

  private static String job(String name, String queue, int cpu, int priority) {
    return """
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
         metadata: {name: p-%1$s}, value: %4$d}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: "%1$s"
          labels: {kueue.x-k8s.io/queue-name: %2$s, kueue.x-k8s.io/priority-class: "p-%1$s"}
        spec:
          template:
            spec: {containers: [{name: main, resources: {requests: {cpu: %3$d}}}]}
        """.formatted(name, queue, cpu, priority);
  }

  private CommandLineRun admit(String manifests) throws IOException {
    return CommandLineRun.of("admit", Files.writeString(folder.resolve("all.yaml"), manifests));
  }

  private static String twoLocalQueues() {
    return FLAVOR
        + queue("q", "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}")
        + "---\n{apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, metadata: {name: other},"
        + " spec: {clusterQueue: q}}\n"
        + job("first", "q", 2, 0)
        + job("second", "q", 2, 0)
        + job("third", "other", 2, 0);
  }

  @Test
  void localQueuesAreServedByUsageIfAHalfLifeIsGiven() throws IOException {
    Path all = Files.writeString(folder.resolve("all.yaml"), twoLocalQueues());
    Admit byUsage = Admit.json("--strict", "--usage-half-life", "P7D", "--finish", "first", all);
    assertThat(byUsage.names(1, "Pending")).containsExactly("second");
    Admit byAge = Admit.json("--finish", "first", all);
    assertThat(byAge.names(1, "Pending")).containsExactly("third");
  }

  @Test
  void aModeWithoutHalfLifeIsNotedAndAgeDecides() throws IOException {
    CommandLineRun run = admit(twoLocalQueues());
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("spec.admissionScope.admissionMode: without effect");
  }

  @Test
  void aNegativeHalfLifeIsRefused() throws IOException {
    Path all = Files.writeString(folder.resolve("all.yaml"), twoLocalQueues());
    CommandLineRun run = CommandLineRun.of("admit", "--usage-half-life", "PT-1S", all);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .containsExactly(
            "error: --usage-half-life: usageHalfLifeTime is PT-1S; expected 0 or more");
  }

  @Test
  void aWrongLimitOfPreemptionIsRefused() throws IOException {
    Path all = Files.writeString(folder.resolve("all.yaml"), twoLocalQueues());
    CommandLineRun run = CommandLineRun.of("admit", "--preemption-rates", "Global=0/PT1H", all);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .containsExactly("error: --preemption-rates: the limit of preemptions of scope Global is 0;"
            + " expected 1 to 1000");
  }

  @Test
  void jobsThatPreemptEachOtherForEverAreAnErrorAndNotAHang() throws IOException {
    CommandLineRun run = admit(FLAVOR
        + queue("p", "")
        + queue(
            "q",
            "preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any,"
                + " borrowWithinCohort: {policy: LowerPriority}}")
        + job("l2", "p", 4, 10)
        + job("h1", "q", 2, 1)
        + job("h2", "q", 4, 10));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines("error: "))
        .containsExactly("error: workloads stop again and again, and would in Kueue:"
            + " default/job-h1-0e035 preempts default/job-l2-bc939 (InCohortReclamation),"
            + " default/job-h2-696c2 preempts default/job-h1-0e035 (InClusterQueue);"
            + " let queues reclaim or borrow from lower priorities only");
  }

  @Test
  void aQueueThatIsGivenAgainWithAnotherContentIsNoted() throws IOException {
    String again = queue("p", "queueingStrategy: StrictFIFO");

    CommandLineRun run = admit(FLAVOR + queue("p", "") + again + again + job("a", "p", 1, 0));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines().filter(line -> line.contains("is given again")))
        .singleElement()
        .asString()
        .contains("document 2")
        .contains("ClusterQueue p")
        .contains("document 6");
  }

  @Test
  void aNegativeQuotaIsOneErrorAndNotTwo() throws IOException {
    CommandLineRun run = admit(FLAVOR + queue("p", "").replace("Quota: 2", "Quota: -2"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("nominalQuota")
        .contains("negative");
  }
}
