package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.Workers;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A cluster in memory with one controller, and a Job controller that follows the specs of Jobs. */
final class Scene {
  private static final String CONTROLLER = "controller";
  private static final String QUEUES = """
      apiVersion: v1
      kind: List
      items:
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: spot}
        spec:
          nodeLabels: {pool: spot}
          nodeTaints: [{key: spot, value: "true", effect: NoSchedule}]
          tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: queue, namespace: default}
        spec: {clusterQueue: research}
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 100
      """;
  private static final String CLUSTER_QUEUE = """
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: spot
            resources: [{name: cpu, nominalQuota: 4}]
      """;

  final VirtualClock clock = VirtualClock.create();
  final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_35, clock);
  private final JobSimulator jobs = new JobSimulator(cluster, ServerVersion.KUBERNETES_1_35, clock);
  private final ClusterConnection connection = ClusterConnection.of(cluster, CONTROLLER);
  private ControllerOptions options;
  private WatchQueue watch = WatchQueue.open(cluster);
  private ControllerLoop loop;

  Scene(ControllerOptions options) {
    this.options = options;
    Serialization.unmarshal(QUEUES, io.fabric8.kubernetes.api.model.KubernetesList.class)
        .getItems()
        .forEach(object -> cluster.create(StrictCluster.USER, object));
    createClusterQueue();
    loop = newLoop(connection);
    settle();
  }

  static Scene create() {
    return new Scene(ControllerOptions.defaults());
  }

  void createClusterQueue() {
    cluster.create(
        StrictCluster.USER,
        Serialization.unmarshal(CLUSTER_QUEUE, GenericKubernetesResource.class));
  }

  private ControllerLoop newLoop(ClusterWrites writes) {
    ControllerLoop started = ControllerLoop.create(options, writes, clock);
    started.start(watch.list());
    return started;
  }

  /** Another controller takes over the present cluster. */
  void restart() {
    restart(connection);
  }

  /** Another controller with other options takes over. */
  void restart(ControllerOptions newOptions) {
    options = newOptions;
    restart();
  }

  void restart(ClusterWrites writes) {
    watch.close();
    watch = WatchQueue.open(cluster);
    loop = newLoop(writes);
  }

  /** Another controller takes over, with several workers that write. */
  void restart(ClusterWrites writes, Workers workers) {
    restart(writes, Optional.empty(), workers);
  }

  /** Another controller takes over, and counts. */
  void restart(KueueMetrics metrics) {
    restart(connection, Optional.of(metrics), Workers.one());
  }

  private void restart(ClusterWrites writes, Optional<KueueMetrics> metrics, Workers workers) {
    watch.close();
    watch = WatchQueue.open(cluster);
    loop = new ControllerLoop(options, writes, clock, metrics, workers);
    loop.start(watch.list());
  }

  ClusterConnection connection() {
    return connection;
  }

  /**
   * {@return a suspended Job of one pod with these CPUs, created a second after the previous
   * change}
   */
  Job createJob(String name, int cpus, Consumer<Job> edit) {
    clock.advance(Duration.ofSeconds(1));
    Job job = Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          suspend: true
          parallelism: 1
          template:
            metadata: {labels: {app: test}}
            spec:
              restartPolicy: Never
              nodeSelector: {zone: a}
              containers:
              - name: main
                image: busybox
                resources: {requests: {cpu: "%d"}}
        """.formatted(name, cpus), Job.class);
    edit.accept(job);
    return cluster.create(StrictCluster.USER, job);
  }

  Job createJob(String name, int cpus) {
    return createJob(name, cpus, job -> {});
  }

  /** {@return the job {@code high}, which preempts others} */
  Job createHigh(int cpus) {
    return createJob("high", cpus, withLabel("kueue.x-k8s.io/priority-class", "high"));
  }

  /** Creates the job {@code high}, and settles; it runs then. */
  void preempt(int cpus) {
    createHigh(cpus);
    settle();
    if (!runs("high")) {
      throw new AssertionError("the job high does not run, but is " + view("high"));
    }
  }

  static Consumer<Job> withLabel(String key, String value) {
    return job -> job.getMetadata().getLabels().put(key, value);
  }

  /** A user changes a job, whatever its version. */
  void edit(String name, Consumer<Job> change) {
    Job job = job(name);
    change.accept(job);
    cluster.replace(StrictCluster.USER, job);
  }

  /** A user changes the ClusterQueue, whatever its version. */
  void editQueue(String field, Object value) {
    GenericKubernetesResource queue = cluster
        .get(key("ClusterQueue", "", "research"), GenericKubernetesResource.class)
        .orElseThrow();
    @SuppressWarnings("unchecked")
    Map<String, Object> spec =
        new java.util.LinkedHashMap<>((Map<String, Object>) queue.get("spec"));
    spec.put(field, value);
    queue.setAdditionalProperty("spec", spec);
    cluster.replace(StrictCluster.USER, queue);
  }

  /** A user gives the ClusterQueue another quota, of one flavor. */
  void setQuota(String flavor, int cpus) {
    editQueue(
        "resourceGroups",
        List.of(Map.of(
            "coveredResources",
            List.of("cpu"),
            "flavors",
            List.of(Map.of(
                "name",
                flavor,
                "resources",
                List.of(Map.of("name", "cpu", "nominalQuota", cpus)))))));
  }

  void deleteClusterQueue() {
    cluster.delete(StrictCluster.USER, key("ClusterQueue", "", "research"));
  }

  static io.kueue4j.examples.controller.cluster.ObjectKey key(
      String kind, String namespace, String name) {
    String group = switch (kind) {
      case "Job" -> "batch";
      case "ClusterQueue", "LocalQueue", "Workload" -> "kueue.x-k8s.io";
      default -> "";
    };
    return new io.kueue4j.examples.controller.cluster.ObjectKey(group, kind, namespace, name);
  }

  Job job(String name) {
    return cluster.get(key("Job", "default", name), Job.class).orElseThrow();
  }

  /** {@return whether a Job runs, and its admission is recorded} */
  boolean runs(String name) {
    Job job = job(name);
    return Boolean.FALSE.equals(job.getSpec().getSuspend()) && isRecorded(job);
  }

  /** {@return whether an admission is recorded for a job, or for the group of a pod} */
  boolean isRecorded(HasMetadata job) {
    return workload(job).filter(WorkloadObjects::isAdmitted).isPresent();
  }

  /** {@return the Workload of a Job, empty if there is none} */
  Optional<GenericKubernetesResource> workload(String job) {
    return workload(job(job));
  }

  private Optional<GenericKubernetesResource> workload(HasMetadata job) {
    String uid = job.getMetadata().getUid();
    return cluster.keys(key -> key.kind().equals("Workload")).stream()
        .flatMap(key -> cluster.get(key, GenericKubernetesResource.class).stream())
        .filter(object -> WorkloadObjects.ownerUids(object).contains(uid))
        .findFirst();
  }

  /** {@return the Workload of a Job as JSON, empty if there is none} */
  JsonNode record(String job) {
    return workload(job).map(Json::tree).orElseGet(Json::object);
  }

  List<Pod> pods() {
    return cluster.keys(key -> key.kind().equals("Pod")).stream()
        .map(key -> cluster.get(key, Pod.class))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * The controller processes all events.
   *
   * @return when it is to be called again
   */
  Instant work() {
    return work(event -> event);
  }

  /** The same, with a change of each event on its way to the controller. */
  Instant work(UnaryOperator<ClusterEvent> change) {
    Optional<ClusterEvent> event = watch.next();
    while (event.isPresent()) {
      loop.accept(change.apply(event.get()));
      event = watch.next();
    }
    return loop.step();
  }

  /** The Job controller creates and deletes pods. */
  void runPods() {
    cluster.keys(key -> key.kind().equals("Job")).forEach(jobs::sync);
  }

  void finish(String name) {
    jobs.finish(key("Job", "default", name), true);
  }

  /** Runs both until nothing changes. */
  void settle() {
    int before;
    do {
      before = cluster.log().size();
      work();
      runPods();
      cluster.collectGarbage();
    } while (cluster.log().size() > before);
  }

  JobState state(String name) {
    return view(name).state();
  }

  JobView view(String name) {
    return view().jobs().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  ControllerLoop loop() {
    return loop;
  }

  ControllerView view() {
    return loop.view();
  }

  /** {@return the number of writes of the controller to an object of that name} */
  long writes(String name) {
    return cluster.log().stream()
        .filter(write -> write.actor().equals(CONTROLLER) && write.key().name().equals(name))
        .count();
  }

  /** {@return the milli-CPUs that the pods of a Job request, 0 if it does not run} */
  static long runningMillis(Job job) {
    boolean runs = !job.getSpec().getSuspend()
        && (job.getStatus() == null || job.getStatus().getCompletionTime() == null);
    Quantity perPod = Objects.requireNonNull(job.getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .getRequests()
        .get("cpu"));
    return runs ? 1000L * job.getSpec().getParallelism() * Long.parseLong(perPod.getAmount()) : 0;
  }

  /** {@return the milli-CPUs that the ClusterQueue counts as used} */
  long usedMillis() {
    return view().engine().clusterQueue("research").orElseThrow().usage().stream()
        .mapToLong(QuotaUsage::used)
        .sum();
  }

  /** {@return the reasons of the events of a job, in order} */
  ImmutableList<String> events(String name) {
    return connection.events().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(name))
        .map(io.fabric8.kubernetes.api.model.Event::getReason)
        .collect(ImmutableList.toImmutableList());
  }

  static HasMetadata withoutMetadata(Job job) {
    Job copy = JobAnnotations.copy(job);
    copy.setStatus(null);
    copy.setMetadata(null);
    return copy;
  }

  /** {@return every write so far} */
  List<ApiWrite> log() {
    return cluster.log();
  }
}
