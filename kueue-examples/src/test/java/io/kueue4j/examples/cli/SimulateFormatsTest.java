package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of {@code simulate} in the formats of other programs. */
class SimulateFormatsTest {
  private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,"
      + "pod_phase,creation_time,deletion_time,scheduled_time\n";
  private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";

  @TempDir
  private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static JsonNode json(CommandLineRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private CommandLineRun pods(String pods, String nodes, String format) throws IOException {
    return CommandLineRun.of(
        "simulate",
        file("pods.csv", PODS + pods),
        "--nodes",
        file("nodes.csv", NODES + nodes),
        "-o",
        format);
  }

  @Test
  void aPodHasToFitOnANodeOfItsModel() throws IOException {
    CommandLineRun run = pods("""
        whole,1000,1,2,1000,,LS,Running,0,100,0
        share-0,1000,1,1,600,T4,BE,Running,1,101,1
        share-1,1000,1,1,400,G2|T4,BE,Running,2,102,50
        share-2,1000,1,1,100,T4,BE,Running,3,103,3
        no-gpu,1000,1,0,0,,LS,Running,4,104,4
        never,1000,1,0,0,,LS,Pending,4,,
        """, """
        a,8000,1000,1,T4
        b,8000,1000,1,G2
        c,8000,1000,0,
        """, "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("line 7: the pod never ran, or has no end; left out");
    assertThat(run.out())
        // Two GPUs are unused, but on two nodes.
        .containsPattern("whole,,LS,default/cluster,cluster,,WAITING,0,,,")
        .containsPattern("share-0,,BE,default/cluster,cluster,t4,FINISHED,1,1,101,0,")
        .containsPattern("share-1,,BE,default/cluster,cluster,g2,FINISHED,2,2,54,0,")
        .containsPattern("share-2,,BE,default/cluster,cluster,t4,FINISHED,3,3,103,0,")
        .containsPattern("no-gpu,,LS,default/cluster,cluster,cpu-only,FINISHED,4,4,104,0,");
  }

  @Test
  void jobsCancelledWhileTheyWaitedDoSoInTheSimulation() throws IOException {
    // Job 2 waits in vain, job 3 starts before its user gives up, job 4 is not cancelled.
    CommandLineRun run = CommandLineRun.of("simulate", file("log.swf", """
            ; MaxProcs: 2
            1 0 0 100 2 -1 -1 2 -1 -1 1
            2 10 50 -1 -1 -1 -1 2 300 -1 5
            3 20 150 0 -1 -1 -1 1 -1 -1 5
            4 30 150 20 1 -1 -1 1 -1 -1 1
            """), "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("4 lines, 2, 3, 4, 5: fewer than 18 fields").hasLineCount(1);
    assertThat(run.out())
        .contains("job-1,,,default/cluster,cluster,default,FINISHED,0,0,100,0,")
        .contains("job-2,,,default/cluster,cluster,,CANCELLED,10,,60,50,")
        .contains("job-3,,,default/cluster,cluster,default,CANCELLED,20,100,170,80,")
        .contains("job-4,,,default/cluster,cluster,default,FINISHED,30,100,120,70,");
  }

  @Test
  void whatASpreadsheetWouldCalculateFollowsAnApostrophe() throws IOException {
    Path file = file("jobs.jsonl", """
        {"id": "a", "user": "=cmd|' /C calc'!A0", "submit": 0, "duration": 1, "requests": {"cpu": 1}}
        {"id": "b", "user": "-5", "group": "@x", "submit": 0, "duration": 1, "requests": {"cpu": 1}}
        """);
    assertThat(CommandLineRun.of("simulate", file, "-o", "csv").out())
        .contains("\na,'=cmd|' /C calc'!A0,,")
        .contains("\nb,-5,'@x,");
  }

  @Test
  void aMessageIsOneLineWhateverTheFileContains() throws IOException {
    CommandLineRun id = CommandLineRun.of("simulate", file("id.jsonl", """
        {"id": "\\u001b[31m\\nx", "submit": 0, "duration": 1, "requests": {"cpu": 1}}
        """));
    assertThat(id.exitCode()).isEqualTo(2);
    assertThat(id.err()).doesNotContain("\u001b").contains("\\u001B[31m\\nx");
    assertThat(id.err().lines()).hasSize(1);
    CommandLineRun request = CommandLineRun.of("simulate", file("request.jsonl", """
        {"id": "a", "submit": 0, "duration": 1, "requests": {"cpu": 1, "\\u001b[2J": 1}}
        """));
    assertThat(request.err()).doesNotContain("\u001b").contains("'?[2J'");
  }

  @Test
  void usageThatIsSampledAllTheTimeIsRefused() throws IOException {
    Path jobs = file("log.swf", "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n");
    Path config = file("configuration.yaml", """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 1ns}
        """);
    CommandLineRun run = CommandLineRun.of("simulate", jobs, "--config", config);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("usageSamplingInterval is PT0.000000001S; expected at least PT1S");
  }

  @Test
  void podsThatAreBoundToNodesLeaveLessForTheJobs() throws IOException {
    Path history = file("log.swf", "1 0 0 100 2 -1 -1 2 -1 -1 1\n");
    String configuration = """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: hosts},
         spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: nodes},
         spec: {nodeLabels: {pool: all}, topologyName: hosts}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: queue},
         spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
           flavors: [{name: nodes, resources: [{name: cpu, nominalQuota: 4}]}]}]}}
        ---
        {apiVersion: v1, kind: Node,
         metadata: {name: host, labels: {pool: all, kubernetes.io/hostname: host}},
         status: {allocatable: {cpu: 4, pods: 100},
           conditions: [{type: Ready, status: "True"}]}}
        """;
    Path config = file("config.yaml", configuration);
    JsonNode alone = json(CommandLineRun.of("simulate", history, "--config", config, "-o=json"));
    assertThat(alone.at("/total/finished").asInt()).isEqualTo(1);

    String pod = """
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: daemon, namespace: kube-system},
         spec: {nodeName: host, containers: [{name: c, resources: {requests: {cpu: 3}}}]},
         status: {phase: Running}}
        """;
    config = file("config.yaml", configuration + pod);
    JsonNode beside = json(CommandLineRun.of("simulate", history, "--config", config, "-o=json"));
    assertThat(beside.at("/total/finished").asInt()).isZero();
  }

  @Test
  void podsOfManyModelsOnManyNodes() throws IOException {
    Random random = new Random(3);
    String[] models = {"G2", "T4", "P100", ""};
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      String model = models[i % models.length];
      nodes.append("node-%d,32000,131072,%d,%s%n".formatted(i, model.isEmpty() ? 0 : 4, model));
    }
    StringBuilder pods = new StringBuilder();
    int time = 0;
    for (int i = 0; i < 400; i++) {
      time += random.nextInt(20);
      int gpus = random.nextInt(3);
      pods.append("pod-%d,%d,4096,%d,%d,%s,BE,Running,%d,%d,%d%n"
          .formatted(
              i,
              1000 + random.nextInt(8000),
              gpus,
              gpus == 1 ? 1 + random.nextInt(1000) : 1000,
              random.nextBoolean() ? "" : "G2|P100",
              time,
              time + 500 + random.nextInt(3000),
              time));
    }
    JsonNode json = json(pods(pods.toString(), nodes.toString(), "json"));
    assertThat(json.at("/total/finished").asInt()).isEqualTo(400);
    assertThat(json.at("/flavors").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("cpu-only", "g2", "p100", "t4");
    assertThat(json.at("/total/waitSeconds/max").asDouble()).isPositive();
  }

  @Test
  void badNodesAreAnError() throws IOException {
    CommandLineRun run = pods("a,1,1,0,0,,LS,Running,0,1,0\n", "a,x,1,0,\n", "table");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("nodes.csv: line 2: cpu_milli, memory_mib or gpu is no number");
    Path log = file("log.swf", "1 0 -1 10 1\n");
    Path nodes = file("nodes.csv", NODES + "a,1,1,0,\n");
    assertThat(CommandLineRun.of("simulate", log, "--nodes", nodes).err())
        .contains("--nodes is for histories of the format openb");
  }

  @Test
  void jobsOfDeepLearningRunOnServersOfEightGpus() throws IOException {
    Path jobs = file("jobs.csv", """
        job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,priority
        0,64,0,1,dqn,128,2000,0,1
        1,1,500,1,vgg16,16,3000,0,0
        x,1,500,1,vgg16,16,3000,0,0
        2,1
        """);
    CommandLineRun run = CommandLineRun.of("simulate", jobs, "-o", "csv");
    assertThat(run.out())
        .contains("job-0,,dqn,default/cluster,cluster,gpu,FINISHED,0,0,2,0,2,")
        .contains("job-1,,vgg16,default/cluster,cluster,gpu,FINISHED,0.500,2,5,1.500,3,");
    assertThat(run.errLines("warning: ")).hasSize(2);
  }

  @Test
  void theTraceOfKueueHasTheNumbersOfTrace() throws IOException {
    Path generator = file("generator.yaml", """
        cohorts:
        - className: cohort
          count: 2
          queuesSets:
          - className: cq
            count: 3
            nominalQuota: 20
            borrowingLimit: 100
            reclaimWithinCohort: Any
            withinClusterQueue: LowerPriority
            workloadsSets:
            - count: 35
              creationIntervalMs: 100
              workloads:
              - className: small
                runtimeMs: 200
                priority: 50
                request: 1
            - count: 10
              creationIntervalMs: 500
              workloads:
              - className: medium
                runtimeMs: 500
                priority: 100
                request: 5
            - count: 5
              creationIntervalMs: 1200
              workloads:
              - className: large
                runtimeMs: 1000
                priority: 200
                request: 20
        """);
    CommandLineRun trace = CommandLineRun.of("trace", generator, "--repeat", "1");
    JsonNode json =
        json(CommandLineRun.of("simulate", generator, "--cycle-interval", "PT0.1S", "-o", "json"));
    assertThat(trace.out())
        .contains("cycles=" + json.path("cycles").asLong() + " admitted="
            + json.path("admissions").asLong() + " preempted="
            + json.at("/total/preemptions").asLong() + " finished="
            + json.at("/total/finished").asLong())
        .contains("class medium: n=60 avg_time_to_admission_ms="
            + Math.round(1000 * json.at("/users/medium/waitSeconds/mean").asDouble()));
    assertThat(json.at("/total/preemptions").asLong()).isPositive();
  }

  @Test
  void finishedWorkloadsOfAClusterAreAHistory() throws IOException {
    String workload = """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
         "metadata": {"name": "%s", "namespace": "team-a", "creationTimestamp": "2026-02-01T00:0%d:00Z"},
         "spec": {"queueName": "main", "active": true, "podSets": [{"name": "main", "count": 2, "template":
           {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i",
             "resources": {"requests": {"cpu": "1"}}}]}}}]},
         "status": {"conditions": [%s], "admission": {"clusterQueue": "q", "podSetAssignments": [
           {"name": "main", "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "2"}, "count": 2}]}}}""";
    String condition = """
        {"type": "%s", "status": "True", "lastTransitionTime": "2026-02-01T00:%02d:00Z", "reason": "R", "message": ""}""";
    String ran = condition.formatted("QuotaReserved", 5) + "," + condition.formatted("Admitted", 5)
        + "," + condition.formatted("Finished", 15);
    Path list = file(
        "workloads.json",
        "{\n\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": ["
            + workload.formatted("one", 2, ran) + ","
            + workload.formatted("two", 1, ran) + ","
            + workload.formatted("one", 3, ran).replace("team-a", "team-b") + ","
            + workload.formatted("three", 1, condition.formatted("QuotaReserved", 5)) + ","
            + workload.formatted("four", 1, ran).replace("admission", "unknown") + "]}\n");
    CommandLineRun run = CommandLineRun.of("simulate", list, "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1))
        .satisfiesExactly(
            one -> assertThat(one)
                .startsWith(
                    "one,team-a,,default/team-a-main,team-a-main,default,FINISHED,60,60,660,0,600"),
            two -> assertThat(two)
                .startsWith(
                    "two,team-a,,default/team-a-main,team-a-main,default,FINISHED,0,0,600,0,600"),
            other -> assertThat(other)
                .startsWith(
                    "team-b.one,team-b,,default/team-b-main,team-b-main,default,FINISHED,120,"));
    assertThat(run.errLines("warning: ")).hasSize(1).first().asString().contains("QuotaReserved");
    assertThat(run.err()).contains("the Workload has not run to its end; left out");
  }

  @Test
  void jobsOfSlurmRequestWhatTheQueuesHaveQuotaFor() throws IOException {
    Path queues = file("queues.yaml", """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: a100}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: gpu}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [nvidia.com/gpu]
            flavors:
            - name: a100
              resources: [{name: nvidia.com/gpu, nominalQuota: 4}]
        """);
    CommandLineRun run =
        CommandLineRun.of("simulate", file("jobs.txt", """
            JobID|Partition|Submit|Start|End|State|AllocTRES
            1|gpu|1000|1000|1100|COMPLETED|cpu=64,gres/gpu=4,mem=1T,node=2
            2|gpu|1010|1100|1150|TIMEOUT|cpu=64,gres/gpu=1,mem=1T,node=1
            3|gpu|1020|1020|1030|COMPLETED|cpu=64,mem=1T,node=1
            """), "--config", queues, "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("line 4: the job requests nothing that counts; left out");
    assertThat(run.out())
        .containsPattern("job-1,,,default/gpu,gpu,a100,FINISHED,0,0,100,0,")
        .containsPattern("job-2,,,default/gpu,gpu,a100,FINISHED,10,100,150,90,")
        .doesNotContain("job-3");
  }

  @Test
  void aTableLeavesOutResourcesThatAQueueNeitherHasNorUses() throws IOException {
    CommandLineRun run = CommandLineRun.of("simulate", file("jobs.txt", """
            JobID|Partition|Submit|Start|End|State|AllocTRES
            1|gpu|1000|1000|1100|COMPLETED|cpu=4,gres/gpu=4
            2|cpu|1000|1000|1100|COMPLETED|cpu=4
            """));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^cpu .* cpu 100.0 %$")
        .containsPattern("(?m)^gpu .* cpu 100.0 %, nvidia.com/gpu 100.0 %$")
        .contains("cpu 100.0 %, 100.0 % wanted; nvidia.com/gpu 100.0 %, 100.0 % wanted");
  }
}
