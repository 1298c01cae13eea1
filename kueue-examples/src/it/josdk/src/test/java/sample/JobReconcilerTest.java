package sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ScalableResource;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.javaoperatorsdk.operator.Operator;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The controller on a mock of the API server; the test plays the controller of Jobs. */
@EnableKubernetesMockClient(crud = true)
class JobReconcilerTest {
  private static final String START = "2026-01-01T00:00:00Z";

  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {pool: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: queue, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: urgent}
      value: 100
      """;

  private static final String JOB = """
      apiVersion: batch/v1
      kind: Job
      metadata:
        namespace: default
        name: NAME
        uid: uid-of-NAME
        labels: {kueue.x-k8s.io/queue-name: queue}
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: train, resources: {requests: {cpu: 3}}}
      """;

  KubernetesMockServer server;
  KubernetesClient client;
  private Operator operator;

  @BeforeEach
  void start() {
    Main.CONFIGURATION.forEach(server::expectCustomResource);
    objects(QUEUES).forEach(object -> client.resource(object).create());
    operator = Main.start(server.createClient());
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  private List<HasMetadata> objects(String manifests) {
    return client.load(new ByteArrayInputStream(manifests.getBytes(UTF_8))).items();
  }

  private void createJob(String name, Map<String, String> labels) {
    Job job = parse(JOB, name);
    job.getMetadata().getLabels().putAll(labels);
    client.resource(job).create();
  }

  private Job parse(String manifest, String name) {
    return client.getKubernetesSerialization().unmarshal(manifest.replace("NAME", name), Job.class);
  }

  private ScalableResource<Job> job(String name) {
    return client.batch().v1().jobs().inNamespace("default").withName(name);
  }

  private Map<String, String> nodeSelector(String name) {
    Map<String, String> selector =
        job(name).get().getSpec().getTemplate().getSpec().getNodeSelector();
    return selector == null ? Map.of() : selector;
  }

  private boolean isSuspended(String name) {
    return job(name).get().getSpec().getSuspend();
  }

  private static ConditionFactory within() {
    return await().atMost(Duration.ofMinutes(1));
  }

  private void awaitSuspended(String name, boolean suspended) {
    within().until(() -> isSuspended(name), Predicate.isEqual(suspended));
  }

  private void setStatus(String name, JobStatus status) {
    job(name).editStatus(job -> new JobBuilder(job).withStatus(status).build());
  }

  private void end(String name) {
    setStatus(
        name,
        new JobStatusBuilder()
            .withStartTime(START)
            .withCompletionTime("2026-01-01T01:00:00Z")
            .addNewCondition()
            .withType("SuccessCriteriaMet")
            .withStatus("True")
            .endCondition()
            .addNewCondition()
            .withType("Complete")
            .withStatus("True")
            .endCondition()
            .build());
  }

  @Test
  void startsWhatFitsAndTheNextWhenThatEnds() {
    createJob("first", Map.of());
    awaitSuspended("first", false);
    createJob("second", Map.of());
    assertEquals(Map.of("pool", "spot"), nodeSelector("first"));

    end("first");
    awaitSuspended("second", false);
  }

  @Test
  void startsWhatWaitsWhenSomethingIsDeleted() {
    createJob("first", Map.of());
    awaitSuspended("first", false);
    createJob("second", Map.of());
    job("first").delete();

    awaitSuspended("second", false);
  }

  @Test
  void waitsUntilThePodsOfWhatIsPreemptedHaveStopped() {
    createJob("usual", Map.of());
    awaitSuspended("usual", false);
    setStatus("usual", new JobStatusBuilder().withActive(1).withStartTime(START).build());
    createJob("hurry", Map.of("kueue.x-k8s.io/priority-class", "urgent"));

    awaitSuspended("usual", true);
    assertTrue(isSuspended("hurry"), "the pods of the other still run");
    assertEquals(Map.of("pool", "spot"), nodeSelector("usual"), "may not change yet");
    setStatus("usual", new JobStatusBuilder().withActive(0).withStartTime(START).build());
    awaitSuspended("hurry", false);
    assertEquals(Map.of(), nodeSelector("usual"), "as before its start");
    assertNull(job("usual").get().getStatus().getStartTime());

    end("hurry");
    awaitSuspended("usual", false);
  }

  @Test
  void startsWhatWaitsForAQuotaThatGrows() {
    createJob("first", Map.of());
    createJob("second", Map.of());
    within().until(() -> isSuspended("first") != isSuspended("second"));
    String grown = QUEUES.replace("nominalQuota: 4", "nominalQuota: 8");
    objects(grown).stream()
        .filter(object -> object.getKind().equals("ClusterQueue"))
        .forEach(object -> client.resource(object).update());

    awaitSuspended("first", false);
    awaitSuspended("second", false);
  }

  /** What ran goes on as it is, although the new process has not started it. */
  @Test
  void goesOnAfterARestart() {
    createJob("running", Map.of());
    awaitSuspended("running", false);
    List<String> others =
        IntStream.range(0, 10).mapToObj(each -> "other-" + each).toList();
    others.forEach(other -> createJob(other, Map.of()));
    operator.stop();
    String version = job("running").get().getMetadata().getResourceVersion();
    operator = Main.start(server.createClient());
    client.resource(parse(JOB.replace("cpu: 3", "cpu: 1"), "small")).create();
    awaitSuspended("small", false);

    assertEquals(version, job("running").get().getMetadata().getResourceVersion());
    assertTrue(others.stream().allMatch(this::isSuspended), "there is no quota for them");
  }

  @Test
  void aJobThatIsReplacedReleasesItsQuota() {
    JobAdmission admission = new JobAdmission();
    admission.configure(objects(QUEUES));
    Job first = parse(JOB, "train");
    Job second = parse(JOB.replace("uid-of", "other-uid-of"), "train");

    assertTrue(admission.reconcile(first).isPresent());
    assertTrue(admission.reconcile(second).isPresent());
  }
}
