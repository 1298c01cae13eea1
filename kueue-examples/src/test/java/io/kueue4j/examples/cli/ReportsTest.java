package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import org.junit.jupiter.api.Test;

/** The output of {@code admit} in each of its formats. */
final class ReportsTest {
  private static final Object[] ONE_JOB =
      files("003-kueue-v010-slides", "10-settings.yaml", "20-job.yaml");
  private static final Object[] FINISHED = with(ONE_JOB, "--finish", "sample-job-00001");

  @Test
  void theTable() {
    assertThat(run(ONE_JOB)).isEqualTo("""
        NAME               NAMESPACE   QUEUE   CLUSTERQUEUE    STATUS     FLAVORS   REASON
        sample-job-00001   default     main    cluster-total   Admitted   default

        NAME            COHORT   PENDING WORKLOADS   ADMITTED WORKLOADS   USAGE
        cluster-total   <none>   0                   1                    default: cpu 3/9
        """);
  }

  @Test
  void theWideTableHasMoreColumns() {
    assertThat(run(with(ONE_JOB, "-o", "wide"))).isEqualTo("""
        NAME               NAMESPACE   QUEUE   CLUSTERQUEUE    STATUS     FLAVORS   WORKLOAD                     PODS     PRIORITY   REASON
        sample-job-00001   default     main    cluster-total   Admitted   default   job-sample-job-00001-410d5   main=3   0

        NAME            COHORT   PENDING WORKLOADS   ADMITTED WORKLOADS   STRATEGY         ACTIVE   USAGE
        cluster-total   <none>   0                   1                    BestEffortFIFO   True     default: cpu 3/9
        """);
  }

  @Test
  void theTableSaysWhatWasPreemptedForWhat() {
    assertThat(run(with(
            files(
                "001-tpu-multislice-jobset",
                "40-kueue-preemption.yaml",
                "41-priority-class.yaml",
                "20-jobsets-autopilot.yaml",
                "42-jobset-low-priority-autopilot.yaml"),
            "--order",
            "multislice-3slice,low-priority")))
        .contains("""

        PREEMPTED           NAMESPACE   BY             REASON
        multislice-3slice   default     low-priority   InClusterQueue

        NAME""");
  }

  @Test
  void theExitCodeSaysWhetherAJobWaits() {
    Object[] waiting = with(
        files("001-tpu-multislice-jobset", "10-kueue.yaml", "20-jobsets-autopilot.yaml"),
        "--exit-code");
    assertThat(exitCode(waiting)).isEqualTo(1);
    assertThat(exitCode(with(waiting, "-o", "json"))).isEqualTo(1);
    assertThat(exitCode(with(waiting, "--page", "-"))).isEqualTo(1);
    assertThat(exitCode(
            with(waiting, "--finish", "multislice-1slice", "--finish", "multislice-2slice")))
        .isZero();
    assertThat(exitCode(with(FINISHED, "--exit-code"))).isZero();
    assertThat(exitCode(with(waiting, "missing.yaml"))).isEqualTo(2);
  }

  private static int exitCode(Object[] arguments) {
    return CommandLineRun.of(with(new Object[] {"admit"}, arguments)).exitCode();
  }

  @Test
  void severalPhasesHaveHeadings() {
    assertThat(run(FINISHED)).isEqualTo("""
        PHASE 1: all jobs created
        NAME               NAMESPACE   QUEUE   CLUSTERQUEUE    STATUS     FLAVORS   REASON
        sample-job-00001   default     main    cluster-total   Admitted   default

        NAME            COHORT   PENDING WORKLOADS   ADMITTED WORKLOADS   USAGE
        cluster-total   <none>   0                   1                    default: cpu 3/9

        PHASE 2: sample-job-00001 finished
        NAME               NAMESPACE   QUEUE   CLUSTERQUEUE    STATUS     FLAVORS   REASON
        sample-job-00001   default     main    cluster-total   Finished   default

        NAME            COHORT   PENDING WORKLOADS   ADMITTED WORKLOADS   USAGE
        cluster-total   <none>   0                   0                    default: cpu 0/9
        """);
  }

  @Test
  void theJson() {
    assertThat(run(with(ONE_JOB, "--output=JSON"))).isEqualTo("""
        {
          "phases" : [
            {
              "title" : "all jobs created",
              "workloads" : [
                {
                  "name" : "sample-job-00001",
                  "workload" : "job-sample-job-00001-410d5",
                  "namespace" : "default",
                  "queue" : "main",
                  "clusterQueue" : "cluster-total",
                  "status" : "Admitted",
                  "priority" : 0,
                  "podSets" : [
                    {
                      "name" : "main",
                      "count" : 3,
                      "flavors" : {
                        "cpu" : "default"
                      },
                      "topologyAssignment" : null,
                      "slices" : [ ]
                    }
                  ],
                  "reasons" : [ ],
                  "explanation" : null
                }
              ],
              "clusterQueues" : [
                {
                  "name" : "cluster-total",
                  "pending" : 0,
                  "admitted" : 1,
                  "cohort" : null,
                  "queueingStrategy" : "BestEffortFIFO",
                  "active" : true,
                  "inactivity" : null,
                  "usage" : {
                    "default" : {
                      "cpu" : "3"
                    }
                  },
                  "nominalQuota" : {
                    "default" : {
                      "cpu" : "9"
                    }
                  }
                }
              ],
              "events" : [
                {
                  "type" : "Admitted",
                  "workload" : "job-sample-job-00001-410d5",
                  "namespace" : "default",
                  "by" : "cluster-total",
                  "reason" : ""
                }
              ]
            }
          ]
        }
        """);
  }

  @Test
  void eachPhaseHasItsOwnEvents() {
    Admit admit = Admit.json(FINISHED);

    assertThat(admit.events(0)).hasSize(1);
    assertThat(admit.events(1))
        .singleElement()
        .satisfies(event -> assertThat(event.get("type").asText()).isEqualTo("Finished"));
    assertThat(admit.job(1, "sample-job-00001").get("podSets"))
        .isEqualTo(admit.job(0, "sample-job-00001").get("podSets"));
  }

  @Test
  void nothingIsSaidToBeNothing() {
    assertThat(run(files("000-gke-batch-jobs", "00-namespaces.yaml"))).isEqualTo("""
        No jobs.

        No ClusterQueues.
        """);
  }

  private static String run(Object[] arguments) {
    CommandLineRun run = CommandLineRun.of(with(new Object[] {"admit"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().replace(System.lineSeparator(), "\n");
  }
}
