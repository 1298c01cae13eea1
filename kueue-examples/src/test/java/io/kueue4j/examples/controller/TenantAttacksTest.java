package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attacks of a tenant on a real API server that serves Workloads, with and without the guard. The
 * tenant may do everything with jobs, pods and Workloads except write the status of Workloads, and
 * the controller has the rights of its manifests.
 *
 * <p>Job {@code first} runs with 3 of 4 CPUs, {@code second} waits for 3. The namespace
 * {@code outside} is not one of the queue's.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class TenantAttacksTest {
  private static final String QUEUES = TenantServer.QUEUES.replace(
          "namespaceSelector: {}",
          "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}")
      + TenantServer.CHECK
      + """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: checked}
      spec:
        namespaceSelector: {}
        admissionChecksStrategy: {admissionChecks: [{name: budget}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue, namespace: outside},
       spec: {clusterQueue: research}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: checked, namespace: default},
       spec: {clusterQueue: checked}}
      """;
  private static final String ROLES = TenantServer.role("tenant", """
      {apiGroups: ["", batch, apps], resources: ["*"], verbs: ["*"]},
      {apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: ["*"]}""", "tenant");

  private static TenantServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(ROLES);
    admin = server.admin();
    tenant = server.tenant();
    admin
        .resource(new NamespaceBuilder()
            .withNewMetadata()
            .withName("outside")
            .endMetadata()
            .build())
        .create();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @AfterEach
  void deleteJobs() {
    server.deleteJobs("default");
    server.deleteJobs("outside");
  }

  private static ImmutableList<HasMetadata> guard() throws IOException {
    return DeployManifests.of(DeployManifests.ROOT.resolve("guard"));
  }

  private static void applyGuard() throws IOException {
    guard().forEach(object -> admin.resource(object).create());
    Await.until("the API server uses the guard", () -> isGuarded());
  }

  private static void removeGuard() throws IOException {
    guard().forEach(object -> admin.resource(object).delete());
    Await.until("the API server does not use the guard", () -> !isGuarded());
  }

  private static boolean isGuarded() {
    GenericKubernetesResource probe = Serialization.unmarshal("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
         "metadata": {"name": "probe", "namespace": "default"}, "spec": {"podSets": [{"name": "main",
           "count": 1, "template": {"spec": {"containers": [{"name": "main", "image": "busybox"}]}}}]}}
        """, GenericKubernetesResource.class);
    return isRefused(() -> tenant.resource(probe).dryRun().create())
        && isRefused(() -> tenant
            .resource(TenantServer.newJob("default", "probe", 1, false))
            .dryRun()
            .create());
  }

  private static boolean isRefused(Runnable request) {
    try {
      request.run();
      return false;
    } catch (KubernetesClientException e) {
      return String.valueOf(e.getMessage()).contains("ValidatingAdmissionPolicy");
    }
  }

  private static RunningController startController() throws IOException {
    return server.startController(QUEUES, builder -> builder.guard(Duration.ofMillis(200)));
  }

  private static long usedMillis(RunningController running) {
    return running
        .controller()
        .view()
        .orElseThrow()
        .engine()
        .clusterQueue("research")
        .orElseThrow()
        .usage()
        .stream()
        .mapToLong(QuotaUsage::used)
        .sum();
  }

  // ----- what a tenant tries

  private static void edit(String name, Consumer<Job> change) {
    server.edit(name, job -> {
      change.accept(job);
      return job;
    });
  }

  private static void annotate(HasMetadata object, String key, String value) {
    Map<String, String> before = object.getMetadata().getAnnotations();
    Map<String, String> annotations = before == null ? new HashMap<>() : new HashMap<>(before);
    annotations.put(key, value);
    object.getMetadata().setAnnotations(annotations);
  }

  private static void startWithAnnotation(String queue) {
    edit("second", job -> {
      annotate(
          job,
          "kueue4j.io/admission",
          "{\"admission\": {\"clusterQueue\": \"%s\"}}".formatted(queue));
      job.getSpec().setSuspend(false);
    });
  }

  private static void editWorkload(String job, UnaryOperator<GenericKubernetesResource> change) {
    server.workload(tenant, job).edit(change);
  }

  /** The status of the first job with another usage, written by the tenant. */
  private static void writeUsage(String job, String cpu) {
    GenericKubernetesResource changed = server.workload(admin, job).get();
    JsonNode status = Json.tree(changed).get("status");
    ((ObjectNode) status.at("/admission/podSetAssignments/0/resourceUsage")).put("cpu", cpu);
    changed.setAdditionalProperty("status", Json.as(status, Map.class));
    tenant.resource(changed).updateStatus();
  }

  // ----- with the guard

  private static void assertRefused(String policy, Runnable request) {
    assertThatThrownBy(request::run)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("ValidatingAdmissionPolicy '" + policy + "'");
  }

  private static void assertForbidden(Runnable request) {
    assertThatThrownBy(request::run)
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403))
        .hasMessageContaining("workloads/status");
  }

  @Test
  void theApiServerRefusesEveryAttack() throws Exception {
    applyGuard();
    try {
      assertTheGuardHolds();
    } finally {
      removeGuard();
    }
  }

  private static void assertTheGuardHolds() throws IOException {
    try (RunningController running = startController()) {
      server.contend(running);
      Await.until("the guard is seen", () -> running.controller().guardWarning().isEmpty());
      assertAllRefused();
      assertThat(server.runs("first")).isTrue();
      assertThat(server.isSuspended("second")).isTrue();
      assertThat(usedMillis(running)).isEqualTo(3000);
    }
    // The guard needs no controller.
    assertAllRefused();
    try (RunningController running = startController()) {
      Await.until("the first still runs", () -> server.runs("first"));
      assertThat(server.isSuspended("second")).isTrue();
      assertThat(usedMillis(running)).isEqualTo(3000);
    }
  }

  private static void assertAllRefused() {
    // With an annotation that names a queue that does not exist, or one that does.
    assertThatThrownBy(() -> startWithAnnotation("nowhere"))
        .hasMessageContaining("ValidatingAdmissionPolicy");
    assertThatThrownBy(() -> startWithAnnotation("research"))
        .hasMessageContaining("ValidatingAdmissionPolicy");
    assertRefused("kueue4j-jobs", () -> edit("second", job -> job.getSpec().setSuspend(false)));
    for (String annotation :
        List.of(JobAnnotations.RESTARTS, "kueue4j.io/admission", "kueue4j.io/admission-checks")) {
      assertRefused(
          "kueue4j-records", () -> edit("second", job -> annotate(job, annotation, "{}")));
    }
    // Not suspended from the start, also where the queue admits nothing.
    assertRefused(
        "kueue4j-jobs",
        () -> tenant.resource(TenantServer.newJob("default", "eager", 1, false)).create());
    assertRefused(
        "kueue4j-jobs",
        () ->
            tenant.resource(TenantServer.newJob("outside", "eager", 90, false)).create());
    // More pods, or another queue, while it runs.
    assertRefused("kueue4j-jobs", () -> edit("first", job -> job.getSpec().setParallelism(9)));
    assertRefused(
        "kueue4j-jobs", () -> edit("first", job -> job.getMetadata().getLabels().clear()));
    // The record itself: by RBAC its status, by the guard everything else.
    assertForbidden(() -> writeUsage("first", "1m"));
    assertForbidden(() -> writeUsage("first", "1000000"));
    assertRefused(
        "kueue4j-workloads",
        () -> tenant.resource(server.forgedWorkload(server.job("second"))).create());
    assertRefused(
        "kueue4j-workloads",
        () -> editWorkload("first", object -> {
          object
              .getMetadata()
              .getOwnerReferences()
              .get(0)
              .setUid(server.job("second").getMetadata().getUid());
          return object;
        }));
    assertRefused(
        "kueue4j-workloads", () -> editWorkload("first", TenantServer::withoutFinalizers));
  }

  // ----- without the guard

  @Test
  void withoutTheGuardTheControllerStopsWhatRunsWithoutARecord() throws Exception {
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller");
        RunningController running = startController()) {
      server.contend(running);
      assertThat(running.controller().guardWarning().orElseThrow())
          .contains("kueue4j-jobs does not exist");

      for (String queue : List.of("nowhere", "research")) {
        startWithAnnotation(queue);
        Await.until("the second is suspended", () -> server.isSuspended("second"));
        assertThat(usedMillis(running)).isEqualTo(3000);
      }
      Await.until("an event says so", () -> server.hasEvent("second", "Suspended"));
      assertThat(log.lines(LogFormat.TEXT))
          .anyMatch(line -> line.contains("Suspended job=\"Job default/second\""))
          .noneMatch(line -> line.contains("no permission"));

      tenant.resource(TenantServer.newJob("default", "eager", 1, false)).create();
      Await.until(
          "it is admitted or suspended",
          () -> server.isSuspended("eager") || server.isAdmitted("eager"));
      Await.until("it runs with quota", () -> server.runs("eager"));
      tenant.resource(TenantServer.newJob("outside", "eager", 90, false)).create();
      Await.until(
          "it is suspended", () -> server.job("outside", "eager").getSpec().getSuspend());
      Await.until("an event says so", () -> server.hasEvent("outside", "eager", "Suspended"));
      Await.until("both are counted", () -> usedMillis(running) == 4000);

      // A job with more pods than were admitted stops, and waits for quota for all.
      edit("first", job -> {
        annotate(job, "kueue.x-k8s.io/elastic-job", "true");
        job.getSpec().setParallelism(9);
      });
      Await.until("it is suspended", () -> server.isSuspended("first"));
      Await.until("an event says so", () -> server.hasEvent("first", "Stopped"));
      Await.until(
          "its quota is given back",
          () -> usedMillis(running) <= 4000 && !server.isAdmitted("first"));
    }
  }

  @Test
  void withoutTheGuardTheRecordDecides() throws Exception {
    try (RunningController running = startController()) {
      server.contend(running);
      assertForbidden(() -> writeUsage("first", "1m"));
      assertForbidden(() -> writeUsage("first", "1000000"));

      // The usage follows from the pods of the job, not from the spec of its Workload.
      editWorkload("first", object -> {
        Map<?, ?> podSet = (Map<?, ?>) object.<List<?>>get("spec", "podSets").get(0);
        requests(podSet).put("cpu", "1m");
        return object;
      });
      tenant.resource(TenantServer.newJob("default", "third", 2, true)).create();
      Await.until("the third waits", () -> running.state("third") == JobState.PENDING);
      assertThat(usedMillis(running)).isEqualTo(3000);

      // A check is not answered on the job.
      Job checked = TenantServer.newJob("default", "checked", 1, true);
      checked.getMetadata().getLabels().put("kueue.x-k8s.io/queue-name", "checked");
      tenant.resource(checked).create();
      Await.until("it has quota", () -> server.isAdmitted("checked"));
      edit("checked", job -> {
        annotate(job, "kueue4j.io/admission-checks", "{\"budget\": \"Ready\"}");
        job.getSpec().setSuspend(false);
      });
      Await.until("it is suspended", () -> server.isSuspended("checked"));
    }
    try (RunningController running = startController()) {
      // The record no longer belongs to the job, which may be stopped and queued again.
      Map<String, Integer> cpus = Map.of("first", 3, "second", 3, "third", 2);
      Await.until("a job runs", () -> cpus.keySet().stream().anyMatch(server::runs));
      Await.until(
          "what runs has a record, and is counted",
          () ->
              cpus.keySet().stream().allMatch(name -> server.isSuspended(name) || server.runs(name))
                  && usedMillis(running)
                      == cpus.keySet().stream()
                          .filter(server::runs)
                          .mapToLong(name -> 1000L * Objects.requireNonNull(cpus.get(name)))
                          .sum());
    }
  }

  private static Map<String, Object> requests(Map<?, ?> podSet) {
    List<?> containers =
        child(child(podSet, "template"), "spec").get("containers") instanceof List<?> list
            ? list
            : List.of();
    return child(child((Map<?, ?>) containers.get(0), "resources"), "requests");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<?, ?> object, String field) {
    return (Map<String, Object>) Objects.requireNonNull(object.get(field));
  }

  /** All that a tenant does while no controller runs is undone by the next one. */
  @ParameterizedTest
  @ValueSource(strings = {"annotation", "workload", "owner", "deleted"})
  void withoutTheGuardTheNextControllerStopsIt(String attack) throws Exception {
    try (RunningController running = startController()) {
      server.contend(running);
    }
    switch (attack) {
      case "annotation" -> startWithAnnotation("research");
      case "workload" -> {
        server.workload(tenant, "second").delete();
        editWorkload("second", TenantServer::withoutFinalizers);
        tenant.resource(server.forgedWorkload(server.job("second"))).create();
        edit("second", job -> job.getSpec().setSuspend(false));
      }
      case "owner" -> {
        // The admission of the first job, given to the second.
        String uid = server.job("second").getMetadata().getUid();
        editWorkload("first", object -> {
          object.getMetadata().getOwnerReferences().get(0).setUid(uid);
          object.getMetadata().getOwnerReferences().get(0).setName("second");
          return object;
        });
        edit("second", job -> job.getSpec().setSuspend(false));
      }
      default -> {
        // The record of a running job is lost.
        server.workload(tenant, "first").delete();
        editWorkload("first", TenantServer::withoutFinalizers);
        edit("second", job -> job.getSpec().setSuspend(false));
      }
    }
    try (RunningController running = startController()) {
      Await.until(
          "whatever runs has a record",
          () -> ImmutableList.of("first", "second").stream()
              .allMatch(name -> server.isSuspended(name) || server.runs(name)));
      Await.until("one of both has the quota", () -> server.runs("first") != server.runs("second"));
      assertThat(usedMillis(running)).isEqualTo(3000);
      Await.until(
          "an event says so",
          () -> server.hasEvent("second", "Suspended") || server.hasEvent("first", "Suspended"));
    }
  }
}
