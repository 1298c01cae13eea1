package io.kueue4j.examples.controller;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An API server of its own that serves Workloads, with the rights of the controller's manifests and
 * of users, one of whom is a tenant; and what tests do with its jobs and their Workloads.
 */
final class TenantServer implements AutoCloseable {
  /** One ClusterQueue with 4 CPUs, and a LocalQueue in the namespace {@code default}. */
  static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot},
       spec: {nodeLabels: {pool: spot}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 100}
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
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue, namespace: default},
       spec: {clusterQueue: research}}
      """;

  /** An admission check that others answer. */
  static final String CHECK = """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: budget}
      spec: {controllerName: example.com/budget}
      status: {conditions: [{type: Active, status: "True", reason: Ok, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
      """;

  private static final String CONTROLLER =
      "system:serviceaccount:kueue4j-system:kueue4j-controller";
  private static final ResourceDefinitionContext WORKLOADS = new ResourceDefinitionContext.Builder()
      .withGroup("kueue.x-k8s.io")
      .withVersion("v1beta2")
      .withKind("Workload")
      .withPlural("workloads")
      .withNamespaced(true)
      .build();

  private final ApiServer server;
  private final KubernetesClient admin;
  private final KubernetesClient tenant;

  private TenantServer(ApiServer server) {
    this.server = server;
    admin = server.client();
    tenant = server.clientAs("tenant");
  }

  /**
   * Starts a server; the caller closes it.
   *
   * @param roles the roles of users, with their bindings, see {@link #role}
   * @param options the components of the manifests that are used, beside the base
   */
  static TenantServer start(String roles, String... options) throws IOException {
    TenantServer started = new TenantServer(ApiServer.ofItsOwn());
    try {
      started.setUp(roles, options);
      return started;
    } catch (IOException | RuntimeException | Error e) {
      started.close();
      throw e;
    }
  }

  private void setUp(String roles, String... options) throws IOException {
    ApiServer.serveWorkloads(admin);
    List<HasMetadata> manifests = new ArrayList<>(DeployManifests.base());
    for (String option : options) {
      manifests.addAll(DeployManifests.option(option));
    }
    manifests.stream()
        .filter(object -> object instanceof Namespace
            || object instanceof ServiceAccount
            || object.getApiVersion().startsWith("rbac."))
        .forEach(object -> admin.resource(object).create());
    DeployManifests.objects(roles).forEach(object -> admin.resource(object).create());
  }

  /** {@return a ClusterRole with these rules, bound to users, as manifests} */
  static String role(String name, String rules, String... users) {
    String subjects = Stream.of(users)
        .map("{apiGroup: rbac.authorization.k8s.io, kind: User, name: \"%s\"}"::formatted)
        .collect(joining(", "));
    return """
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: %1$s}
        rules: [%2$s]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
        subjects: [%3$s]
        """.formatted(name, rules, subjects);
  }

  /** Makes it accept JobSets, with the JobSet controller. */
  void startJobSetController() throws IOException {
    server.startJobSetController();
  }

  /** Starts the Job controller and the garbage collector. */
  void startControllerManager() throws IOException {
    server.startControllerManager();
  }

  /** {@return the client of a user who may do everything} */
  KubernetesClient admin() {
    return admin;
  }

  /** {@return the client of the user {@code tenant}} */
  KubernetesClient tenant() {
    return tenant;
  }

  /** {@return a client of a user, which the caller closes} */
  KubernetesClient clientAs(String user) {
    return server.clientAs(user);
  }

  /** {@return a controller with the rights of the manifests} */
  RunningController startController(String queues) throws IOException {
    return startController(queues, builder -> builder);
  }

  /**
   * {@return a controller with the rights of the manifests}
   *
   * @param queues the queues, as manifests
   * @param change the rest of its configuration
   */
  RunningController startController(String queues, UnaryOperator<ControllerSetup.Builder> change)
      throws IOException {
    ImmutableList<WatchedKind> kinds = ServedKinds.of(admin, JobKinds.standard(), false);
    return RunningController.start(
            clientAs(CONTROLLER),
            builder -> change.apply(builder
                .kinds(kinds)
                .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", queues)))))
        .awaitView();
  }

  // ----- jobs

  /** {@return a Job of one pod in the LocalQueue {@code queue} of the namespace} */
  static Job newJob(String namespace, String name, int cpus, boolean suspended) {
    return Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: %s
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          suspend: %s
          parallelism: 1
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox, resources: {requests: {cpu: "%d"}}}]
        """.formatted(name, namespace, suspended, cpus), Job.class);
  }

  /** The tenant creates a suspended job in the namespace {@code default}. */
  void create(String name, int cpus) {
    tenant.resource(newJob("default", name, cpus, true)).create();
  }

  Job job(String namespace, String name) {
    return admin.batch().v1().jobs().inNamespace(namespace).withName(name).get();
  }

  Job job(String name) {
    return job("default", name);
  }

  boolean isSuspended(String job) {
    return job(job).getSpec().getSuspend();
  }

  /** The tenant edits a job. */
  void edit(String job, UnaryOperator<Job> change) {
    tenant.batch().v1().jobs().inNamespace("default").withName(job).edit(change);
  }

  boolean hasEvent(String job, String reason) {
    return hasEvent("default", job, reason);
  }

  boolean hasEvent(String namespace, String job, String reason) {
    String uid = job(namespace, job).getMetadata().getUid();
    return admin.v1().events().inNamespace(namespace).list().getItems().stream()
        .anyMatch(event -> event.getReason().equals(reason)
            && uid.equals(event.getInvolvedObject().getUid()));
  }

  /** Waits until the first job runs with 3 CPUs, and the second waits for as many. */
  void contend(RunningController running) {
    create("first", 3);
    Await.until("the first runs", () -> runs("first"));
    create("second", 3);
    Await.until("the second waits", () -> running.state("second") == JobState.PENDING);
  }

  // ----- Workloads

  /** {@return the Workloads of a namespace} */
  List<GenericKubernetesResource> workloads(String namespace) {
    return admin
        .genericKubernetesResources(WORKLOADS)
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  /** {@return the Workload of a job, for a user} */
  Resource<GenericKubernetesResource> workload(KubernetesClient by, String job) {
    return by.genericKubernetesResources(WORKLOADS)
        .inNamespace("default")
        .withName(workloadName(job(job)));
  }

  private static String workloadName(Job job) {
    return JobKinds.standard()
        .find(job)
        .orElseThrow()
        .workloadName(job, job.getMetadata().getName(), job.getMetadata().getUid());
  }

  /** {@return the Workload of a job, an empty object if there is none} */
  JsonNode workload(String job) {
    GenericKubernetesResource found = workload(admin, job).get();
    return found == null ? Json.object() : Json.tree(found);
  }

  JsonNode condition(String job, String type) {
    return WorkloadScene.condition(workload(job), type);
  }

  boolean isTrue(String job, String type) {
    return WorkloadScene.isTrue(workload(job), type);
  }

  /** {@return whether the Workload of a job has an admission} */
  boolean isAdmitted(String job) {
    return !workload(job).at("/status/admission").isMissingNode();
  }

  /** {@return whether a job runs, and its Workload is admitted} */
  boolean runs(String job) {
    return !isSuspended(job) && isAdmitted(job) && isTrue(job, "Admitted");
  }

  /** {@return a copy of the Workload of the job {@code first} that names another job as its own} */
  GenericKubernetesResource forgedWorkload(Job job) {
    GenericKubernetesResource forged = workload(admin, "first").get();
    forged.getMetadata().setName(workloadName(job));
    forged.getMetadata().setUid(null);
    forged.getMetadata().setResourceVersion(null);
    forged.getMetadata().setManagedFields(null);
    forged.getMetadata().getOwnerReferences().get(0).setName(job.getMetadata().getName());
    forged.getMetadata().getOwnerReferences().get(0).setUid(job.getMetadata().getUid());
    return forged;
  }

  static GenericKubernetesResource withoutFinalizers(GenericKubernetesResource object) {
    object.getMetadata().setFinalizers(List.of());
    return object;
  }

  /** Deletes the jobs and Workloads of a namespace. */
  void deleteJobs(String namespace) {
    admin.batch().v1().jobs().inNamespace(namespace).delete();
    for (GenericKubernetesResource object : workloads(namespace)) {
      admin.resource(object).edit(TenantServer::withoutFinalizers);
      admin.resource(object).delete();
    }
  }

  @Override
  public void close() throws IOException {
    tenant.close();
    admin.close();
    server.close();
  }
}
