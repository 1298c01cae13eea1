package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcomes of the tutorials, from the command line. */
final class AdmitTutorialsTest {
  private static final String GKE = "000-gke-batch-jobs";
  private static final String TPU = "001-tpu-multislice-jobset";
  private static final String TWO_TEAMS = "002-kueue-v080-gke";
  private static final String SLIDES = "003-kueue-v010-slides";

  @Test
  void threeJobsShareTenGpus() {
    Admit admit = Admit.json(files(
        GKE,
        "00-namespaces.yaml",
        "10-flavors.yaml",
        "20-cluster-queue.yaml",
        "30-local-queues.yaml",
        "40-job-team-a.yaml",
        "41-job-team-b.stand-in.yaml",
        "40-job-team-a.yaml",
        "41-job-team-b.stand-in.yaml"));

    assertThat(admit.phases()).isEqualTo(1);
    assertThat(admit.names(0, "Admitted"))
        .containsExactly(
            "sample-job-team-a-00001", "sample-job-team-b-00002", "sample-job-team-a-00003");
    assertThat(admit.names(0, "Pending")).containsExactly("sample-job-team-b-00004");
    assertThat(admit.reasons(0, "sample-job-team-b-00004"))
        .contains("nvidia.com/gpu", "requests 3", "nominal quota 10")
        .doesNotContain("cpu", "memory");
    assertThat(admit.queue(0)).isEqualTo(Admit.parse("""
            {"name": "cluster-queue", "pending": 1, "admitted": 3, "cohort": null,
             "queueingStrategy": "BestEffortFIFO", "active": true, "inactivity": null,
             "usage": {"default-flavor": {"cpu": "4500m", "memory": "4608Mi",
               "nvidia.com/gpu": "9", "ephemeral-storage": "4608Mi"}},
             "nominalQuota": {"default-flavor": {"cpu": "10", "memory": "10Gi",
               "nvidia.com/gpu": "10", "ephemeral-storage": "10Gi"}}}
            """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20-jobsets-autopilot.yaml", "21-jobsets-standard.yaml"})
  void theLargestJobSetFirst(String jobSets) {
    Admit admit = Admit.json(with(
        files(TPU, "10-kueue.yaml", jobSets),
        "--order",
        "multislice-3slice,multislice-2slice,multislice-1slice",
        "--finish",
        "multislice-3slice"));

    assertThat(admit.phases()).isEqualTo(2);
    assertThat(admit.names(0, "Admitted")).containsExactly("multislice-3slice");
    assertThat(admit.names(0, "Pending")).containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(admit.queue(0).at("/usage/vlp-24/google.com~1tpu").asText()).isEqualTo("24");
    assertThat(admit.names(1, "Finished")).containsExactly("multislice-3slice");
    assertThat(admit.names(1, "Admitted"))
        .containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(admit.names(1, "Pending")).isEmpty();
    assertThat(admit.queue(1).at("/usage/vlp-24/google.com~1tpu").asText()).isEqualTo("24");
  }

  @ParameterizedTest
  @ValueSource(strings = {"20-jobsets-autopilot.yaml", "21-jobsets-standard.yaml"})
  void jobSetsInTheOrderOfTheFile(String jobSets) {
    Admit admit = Admit.json(files(TPU, "10-kueue.yaml", jobSets));

    assertThat(admit.names(0, "Admitted"))
        .containsExactly("multislice-1slice", "multislice-2slice");
    assertThat(admit.names(0, "Pending")).containsExactly("multislice-3slice");
    assertThat(admit.job(0, "multislice-2slice").get("podSets")).isEqualTo(Admit.parse("""
            [{"name": "slice", "count": 4, "flavors": {"google.com/tpu": "vlp-24"},
              "topologyAssignment": null, "slices": []}]"""));
    assertThat(admit.job(0, "multislice-3slice").get("podSets")).isEqualTo(Admit.parse("""
            [{"name": "slice", "count": 6, "flavors": {}, "topologyAssignment": null, "slices": []}]"""));
  }

  @Test
  void theMisnamedPriorityPreempts() {
    Admit admit = Admit.json(with(
        files(
            TPU,
            "40-kueue-preemption.yaml",
            "41-priority-class.yaml",
            "20-jobsets-autopilot.yaml",
            "42-jobset-low-priority-autopilot.yaml"),
        "--order",
        "multislice-3slice,low-priority"));

    assertThat(admit.job(0, "multislice-3slice").get("status").asText()).isEqualTo("Pending");
    assertThat(admit.job(0, "low-priority").get("status").asText()).isEqualTo("Admitted");
    assertThat(admit.events(0).get(1).get("type").asText()).isEqualTo("Preempted");
    assertThat(admit.events(0).get(1).get("reason").asText()).isEqualTo("InClusterQueue");
    assertThat(admit.events(0).get(1).get("by"))
        .isEqualTo(admit.job(0, "low-priority").get("workload"));
  }

  @Test
  void theWideOutputSaysWhyTheOthersWait() {
    Object[] files = files(
        TPU,
        "40-kueue-preemption.yaml",
        "41-priority-class.yaml",
        "20-jobsets-autopilot.yaml",
        "42-jobset-low-priority-autopilot.yaml");
    String order = "multislice-3slice,multislice-2slice,multislice-1slice,low-priority";
    CommandLineRun run =
        CommandLineRun.of(with(new Object[] {"admit", "-o", "wide", "--order", order}, files));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().substring(run.out().indexOf("multislice-3slice is pending")))
        .isEqualTo("""
            multislice-3slice is pending
              before it: 0 in ClusterQueue cluster-queue, 0 in LocalQueue multislice-queue
              preempted for: default/jobset-low-priority-37791 in ClusterQueue cluster-queue (InClusterQueue)
              because: pod set slice: google.com/tpu in flavor vlp-24: requests 24, 0 available, 24 more needed (in use 24, nominal quota 24), and no workload may be preempted for it
                requested 24, available 0, nominal quota 24, used 24
                limited by the quota of ClusterQueue cluster-queue: 24 of 24 in use
                held by default/jobset-multislice-2slice-0d2de in cluster-queue (16), default/jobset-low-priority-37791 in cluster-queue (8)
              would be admitted if: ClusterQueue cluster-queue has more nominal quota: google.com/tpu in flavor vlp-24 from 24 to 48 (+24)
              or if: workloads default/jobset-low-priority-37791, default/jobset-multislice-2slice-0d2de stop

            multislice-1slice is pending
              before it: 1 in ClusterQueue cluster-queue, 1 in LocalQueue multislice-queue
              because: pod set slice: google.com/tpu in flavor vlp-24: requests 8, 0 available, 8 more needed (in use 24, nominal quota 24), and no workload may be preempted for it
                requested 8, available 0, nominal quota 24, used 24
                limited by the quota of ClusterQueue cluster-queue: 24 of 24 in use
                held by default/jobset-multislice-2slice-0d2de in cluster-queue (16), default/jobset-low-priority-37791 in cluster-queue (8)
              would be admitted if: ClusterQueue cluster-queue has more nominal quota: google.com/tpu in flavor vlp-24 from 24 to 32 (+8)
              or if: workload default/jobset-low-priority-37791 stops
            """);
  }

  @Test
  void smallJobsOvertakeWithBestEffort() {
    Admit admit =
        Admit.json(twoTeams(Admit.MANIFESTS.resolve(TWO_TEAMS + "/20-cluster-queue.yaml")));

    assertThat(admit.names(0, "Admitted"))
        .containsExactly("sample-job-team-a-00001", "sample-job-team-a-00003");
    assertThat(admit.names(0, "Pending")).containsExactly("sample-job-team-b-00002");
  }

  @Test
  void smallJobsWaitTheirTurnWithStrictFifo(@TempDir Path folder) throws IOException {
    Path original = Admit.MANIFESTS.resolve(TWO_TEAMS + "/20-cluster-queue.yaml");
    Path strict = Files.writeString(
        folder.resolve("20-cluster-queue.yaml"),
        Files.readString(original).replace("BestEffortFIFO", "StrictFIFO"));

    Admit admit = Admit.json(twoTeams(strict));

    assertThat(admit.names(0, "Admitted")).containsExactly("sample-job-team-a-00001");
    assertThat(admit.names(0, "Pending"))
        .containsExactly("sample-job-team-b-00002", "sample-job-team-a-00003");
    assertThat(admit.reasons(0, "sample-job-team-a-00003")).contains("its turn has not come");
  }

  @Test
  void threeJobsOfTheFirstApi() {
    Admit admit = Admit.json(files(
        SLIDES, "10-settings.yaml", "20-job.yaml", "20-job.yaml", "20-job.yaml", "20-job.yaml"));

    assertThat(admit.names(0, "Admitted"))
        .containsExactly("sample-job-00001", "sample-job-00002", "sample-job-00003");
    assertThat(admit.names(0, "Pending")).containsExactly("sample-job-00004");
    assertThat(admit.queue(0).at("/usage/default/cpu").asText()).isEqualTo("9");
  }

  @Test
  void theYamlThatTheTutorialPrintsIsRefused() {
    CommandLineRun run = CommandLineRun.of(
        with(new Object[] {"admit"}, files(TPU, "40-kueue-preemption.as-printed.txt")));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: ")
        .contains("40-kueue-preemption.as-printed.txt: document 1, line 2, ", "not YAML");
  }

  private static Object[] twoTeams(Path clusterQueue) {
    return with(
        files(TWO_TEAMS, "00-namespaces.yaml", "10-resource-flavor.yaml", "30-local-queues.yaml"),
        with(
            new Object[] {clusterQueue},
            files(TWO_TEAMS, "40-job-team-a.yaml", "41-job-team-b.yaml", "40-job-team-a.yaml")));
  }
}
