package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pods of a job request is compared with its admission, whoever has created them. */
class PodCountTest {
  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  /** Deletes a Job as {@code kubectl delete --cascade=orphan} does. */
  private void orphan(String job) {
    orphan(scene, job);
  }

  private static void orphan(Scene scene, String job) {
    String uid = scene.job(job).getMetadata().getUid();
    scene.cluster.keys(key -> List.of("Job", "Pod", "Workload").contains(key.kind())).stream()
        .filter(key -> String.valueOf(scene.cluster.tree(key)).contains(uid))
        .forEach(key -> scene.cluster.edit(
            StrictCluster.USER,
            ApiWrite.Verb.REPLACE,
            key,
            tree -> Trees.child(tree, "metadata").remove("ownerReferences")));
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", job));
  }

  private void change(ObjectKey key, Consumer<ObjectNode> change) {
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, key, change);
  }

  private String onlyPod() {
    assertThat(scene.pods()).hasSize(1);
    return scene.pods().get(0).getMetadata().getName();
  }

  /** What the pods that run request, in CPUs. */
  private int running() {
    return scene.cluster.trees("Pod").stream()
        .filter(pod -> pod.at("/spec/schedulingGates").isEmpty())
        .mapToInt(pod -> pod.at("/spec/containers/0/resources/requests/cpu").asInt())
        .sum();
  }

  @Test
  void whatHasLostItsOwnerHoldsItsQuotaUntilItEnds() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    assertThat(scene.runs("next")).isFalse();
    assertThat(scene.view().jobs())
        .anySatisfy(job -> assertThat(job.messages().toString()).contains("1 of its pods"));
    pods.setPhase(pod, "Succeeded");
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    assertThat(scene.cluster.keys(key -> key.kind().equals("Workload"))).hasSize(1);
  }

  @Test
  void aLaterControllerKnowsThePodsWhateverTheyLookLike() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.settle();
    scene.clock.advance(Duration.ofSeconds(6));
    scene.settle();
    pods.edit(pod, tree -> Trees.child(tree, "metadata").remove("labels"));
    scene.createJob("next", 3);
    scene.restart();
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    assertThat(scene.runs("next")).isFalse();
    pods.setPhase(pod, "Failed");
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void theRecordNamesOnlyAsManyPodsAsItMay() {
    scene.createJob("left", 0, job -> {
      job.getSpec().setParallelism(500);
      job.getSpec().getTemplate().getMetadata().setAnnotations(Map.of("text", "x".repeat(250_000)));
    });
    scene.settle();
    orphan("left");
    scene.settle();
    scene.clock.advance(Duration.ofSeconds(6));
    scene.settle();
    int bytes = 0;
    for (Map.Entry<String, JsonNode> each : Objects.requireNonNull(scene.cluster.tree(record()))
        .at("/metadata/annotations")
        .properties()) {
      bytes += each.getKey().length() + each.getValue().asText().length();
    }
    assertThat(scene.pods()).hasSize(500);
    assertThat(bytes).isBetween(262_144 - 40, 262_144);
  }

  @Test
  void aLaterControllerKnowsThePodsByTheUidInTheirLabels() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    String uid = scene.job("left").getMetadata().getUid();
    pods.edit(pod, tree -> PodScene.labels(tree).put("batch.kubernetes.io/controller-uid", uid));
    orphan("left");
    scene.restart();
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
    pods.delete(pod);
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void whatHasLostItsOwnerAndItsRecordIsStopped() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    ObjectKey record = record();
    orphan("left");
    scene.settle();
    change(record, tree -> Trees.child(tree, "metadata").remove("finalizers"));
    scene.cluster.delete(StrictCluster.USER, record);
    scene.clock.advance(Duration.ofSeconds(5));
    scene.settle();
    assertThat(pods.find(pod)).isEmpty();
    assertThat(scene.events(pod)).contains("Stopped");
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void whatHasLostItsOwnerStopsWhenItsRecordIsDeleted() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, record());
    scene.settle();
    assertThat(pods.find(pod)).as("while the pods usually follow their job").isPresent();
    scene.clock.advance(Duration.ofSeconds(5));
    scene.settle();
    assertThat(pods.find(pod)).isEmpty();
    assertThat(scene.cluster.keys(key -> key.kind().equals("Workload"))).isEmpty();
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void whatHasLostItsOwnerStopsWhenItsRecordIsDeactivated() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.settle();
    assertThat(pods.find(pod)).isPresent();
    change(record(), tree -> Trees.child(tree, "spec").put("active", false));
    scene.settle();
    assertThat(pods.find(pod)).isEmpty();
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void aWaitingJobWhoseWorkloadAPodNamesHoldsNoQuota() {
    scene.createJob("first", 3);
    scene.createJob("second", 3);
    scene.createJob("third", 3);
    scene.settle();
    String workload = scene.workload("second").orElseThrow().getMetadata().getName();
    pods.createPod("claims", 1, tree -> {
      PodScene.labels(tree).removeAll();
      Trees.child(tree, "spec").remove("schedulingGates");
      PodScene.annotations(tree).put("kueue.x-k8s.io/workload", workload);
    });
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("second")).isFalse();
    assertThat(scene.runs("third")).isTrue();
    scene.finish("third");
    scene.settle();
    assertThat(scene.runs("second")).isFalse();
    pods.delete("claims");
    assertThat(scene.runs("second")).isTrue();
  }

  @Test
  void aDeactivatedJobHoldsItsQuotaUntilItsPodsAreGone() {
    scene.createJob("slow", 3);
    scene.settle();
    scene.edit(
        "slow", job -> job.getMetadata().setAnnotations(Map.of("kueue4j.io/active", "false")));
    scene.createJob("next", 3);
    scene.work();
    assertThat(scene.job("slow").getSpec().getSuspend()).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    scene.restart();
    scene.work();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    assertThat(scene.runs("next")).isFalse();
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(running()).isEqualTo(3);
  }

  @Test
  void whatHasLostItsOwnerWhileThatWasDeactivatedIsStopped() {
    scene.createJob("left", 3);
    scene.settle();
    change(
        ObjectKey.of(scene.cluster.trees("Workload").get(0)),
        tree -> Trees.child(tree, "spec").put("active", false));
    scene.work();
    assertThat(scene.job("left").getSpec().getSuspend()).isTrue();
    orphan("left");
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(running()).isEqualTo(3);
  }

  @Test
  void theRecordOfWhatHasLostItsOwnerIsKeptFromBeingDeleted() {
    scene.createJob("left", 3);
    scene.settle();
    orphan("left");
    scene.settle();
    scene.clock.advance(Duration.ofSeconds(6));
    scene.settle();
    change(record(), tree -> Trees.child(tree, "metadata").remove("finalizers"));
    scene.settle();
    assertThat(String.valueOf(scene.cluster.tree(record()))).contains("resource-in-use");
  }

  @Test
  void theRecordOfARunningPodIsKeptFromBeingDeleted() {
    pods.createPod("single", 1, tree -> {});
    assertThat(pods.runs("single")).isTrue();
    pods.edit("single", tree -> PodScene.labels(tree).removeAll());
    change(record(), tree -> Trees.child(tree, "metadata").remove("finalizers"));
    scene.settle();
    assertThat(String.valueOf(scene.cluster.tree(record()))).contains("resource-in-use");
  }

  private ObjectKey record() {
    return scene.cluster.keys(key -> key.kind().equals("Workload")).get(0);
  }

  /** The admission would be in force again, beside the job that has its quota by then. */
  @Test
  void aRecordThatCannotBeReadIsNotCorrectedWithItsAdmission() {
    scene.createJob("job", 3);
    scene.settle();
    change(record(), tree -> Trees.child(tree, "spec").remove("podSets"));
    scene.createJob("next", 3);
    AtomicBoolean isAway = new AtomicBoolean();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      protected <T> T intercept(Supplier<T> write) {
        if (isAway.get()) {
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "the controller has ended");
        }
        return write.get();
      }

      @Override
      public <T extends HasMetadata> T replace(T object) {
        T stored = super.replace(object);
        isAway.set(object.getKind().equals("Workload"));
        return stored;
      }
    });
    scene.settle();
    assertThat(isAway).isTrue();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.usedMillis()).isEqualTo(3000);
    assertThat(running()).isEqualTo(3);
  }

  @Test
  void aJobWithoutQueueWhoseRecordNamesAnotherIsSuspended() {
    scene.createJob("job", 3);
    scene.settle();
    scene.edit("job", job -> job.getMetadata().getLabels().clear());
    change(
        record(),
        tree -> ((ObjectNode) tree.at("/metadata/ownerReferences/0")).put("uid", "of-another"));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.usedMillis()).isZero();
    assertThat(scene.events("job")).contains("Suspended");
  }

  @Test
  void whatHasLostItsOwnerIsStoppedWhenItsQuotaIsNeeded() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.settle();
    scene.createHigh(4);
    scene.settle();
    assertThat(pods.find(pod)).isEmpty();
    assertThat(scene.events(pod)).contains("Stopped");
    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aPartThatLostItsJobRunsOnUntilItsQuotaIsNeeded() {
    Job whole = scene.createJob("whole", 3);
    scene.settle();
    createPart(whole, "part");
    scene.settle();
    orphan("whole");
    scene.settle();
    assertThat(scene.job("part").getSpec().getSuspend()).isFalse();
    assertThat(scene.pods()).hasSize(2);
    assertThat(scene.usedMillis()).isEqualTo(3000);
    scene.createHigh(4);
    scene.settle();
    assertThat(scene.job("part").getSpec().getSuspend()).isTrue();
    assertThat(scene.runs("high")).isTrue();
  }

  /** Creates a Job that runs as a part of another. */
  private Job createPart(Job whole, String name) {
    return scene.createJob(name, 0, part -> {
      UnqueuedJobsTest.own(whole, part);
      part.getMetadata().setLabels(Map.of());
      part.getSpec().setSuspend(false);
      part.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("pool", "spot"));
    });
  }

  /** The job in the middle would start the part again. */
  @Test
  void theOutermostPartThatLostItsJobIsStopped() {
    Job whole = scene.createJob("whole", 3);
    scene.settle();
    Job middle = createPart(whole, "middle");
    createPart(middle, "part");
    scene.settle();
    scene.restart();
    scene.settle();
    orphan("whole");
    scene.settle();
    assertThat(scene.view().jobs())
        .anySatisfy(job -> assertThat(job.messages().toString()).contains("3 of its pods"));
    scene.createHigh(4);
    scene.settle();
    // Nobody else suspends the part of a Job.
    assertThat(scene.connection().events())
        .filteredOn(event -> event.getReason().equals("Suspended"))
        .extracting(event -> event.getInvolvedObject().getName())
        .containsExactly("middle", "part");
    assertThat(scene.job("middle").getSpec().getSuspend()).isTrue();
  }

  @Test
  void whatWaitsWhenItLosesItsOwnerIsStopped() {
    ElasticScene elastic = ElasticScene.waitingToGrow();
    assertThat(elastic.podCount("elastic")).isEqualTo(4);
    orphan(elastic.scene, "elastic");
    elastic.scene.settle();
    assertThat(elastic.podCount("elastic")).isEqualTo(2);
    elastic.assertCounted("elastic", "other");
  }

  @Test
  void ofAJobThatHasGrownTheLastRecordIsLeft() {
    ElasticScene elastic = ElasticScene.running(2);
    elastic.scale("elastic", 3);
    orphan(elastic.scene, "elastic");
    elastic.scene.restart();
    elastic.scene.settle();
    assertThat(elastic.running("elastic")).isEqualTo(3);
    elastic.assertCounted("elastic");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFinishedJobHoldsItsQuotaUntilItsPodsHaveEnded(boolean isAway) {
    scene.createJob("first", 2);
    scene.settle();
    scene.finish("first");
    createPodOf("first", "late", 2);
    if (isAway) {
      scene.restart();
    }
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    assertThat(scene.runs("next")).isFalse();
    pods.setPhase("late", "Succeeded");
    assertThat(scene.state("first")).isEqualTo(JobState.FINISHED);
    assertThat(scene.runs("next")).isTrue();
  }

  /** A JobSet, for example, deletes what runs when its success policy is satisfied. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFinishedJobHoldsQuotaWhileItsPodsAreBeingDeleted(boolean isAway) {
    scene.createJob("first", 2);
    scene.settle();
    scene.finish("first");
    createPodOf("first", "slow", 2);
    pods.keep("slow");
    pods.delete("slow");
    if (isAway) {
      scene.restart();
    }
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    assertThat(scene.runs("next")).isFalse();
    pods.gone("slow");
    assertThat(scene.state("first")).isEqualTo(JobState.FINISHED);
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void aPodBeyondTheAdmissionOfAFinishedJobIsDeleted() {
    scene.createJob("first", 2);
    scene.settle();
    scene.finish("first");
    createPodOf("first", "late", 3);
    assertThat(pods.find("late")).isEmpty();
    assertThat(scene.events("late")).contains("Stopped");
    assertThat(scene.state("first")).isEqualTo(JobState.FINISHED);
  }

  @Test
  void aPodOnQuotaThatWasGivenBackStopsItsJob() {
    scene.createJob("first", 2, job -> {
      job.getSpec().setParallelism(2);
      job.getSpec().setCompletions(2);
    });
    scene.settle();
    scene.cluster.edit(
        "job-controller",
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("Job", "default", "first"),
        tree -> Trees.child(tree, "status").put("succeeded", 1).put("active", 1).put("ready", 1));
    pods.setPhase(pods.names().get(0), "Succeeded");
    scene.createJob("next", 2);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    createPodOf("first", "late", 2);
    assertThat(scene.runs("first"))
        .as("for a moment, as when a pod is replaced")
        .isTrue();
    scene.clock.advance(Duration.ofSeconds(10));
    scene.settle();
    assertThat(scene.view("first").messages())
        .containsExactly("Its pods request 4 of cpu, admitted were 2");
    assertThat(scene.runs("first")).isFalse();
  }

  /** A tenant edits one of the Jobs that make the pods, for example. */
  @Test
  void aPodOnTheFlavorOfAnotherPodSetStopsItsJob() {
    setQuotas(1, 3);
    String replicas = "{replicas: %d, template: {spec: {containers: "
        + "[{name: pytorch, image: busybox, resources: {requests: {cpu: 1}}}]}}}";
    ObjectNode maker = pods.createServing(
        "kubeflow.org/v1",
        "PyTorchJob",
        "train",
        "{runPolicy: {suspend: true}, pytorchReplicaSpecs: {Master: " + replicas.formatted(1)
            + ", Worker: " + replicas.formatted(3) + "}}");
    createPodOf(maker, "master-0", "reserved");
    createPodOf(maker, "worker-0", "spot");
    createPodOf(maker, "worker-1", "spot");
    assertThat(scene.state("train")).isEqualTo(JobState.ADMITTED);
    createPodOf(maker, "worker-2", "reserved");
    assertThat(scene.events("train")).contains("Stopped");
    assertThat(scene.view("train").messages())
        .containsExactly("Its pods request 2 of cpu, admitted were 1");
  }

  /** Gives the queue CPUs of a second flavor, which comes first. */
  private void setQuotas(int reserved, int spot) {
    pods.create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: reserved}
        spec: {nodeLabels: {pool: reserved}}
        """);
    scene.editQueue(
        "resourceGroups",
        List.of(Map.of(
            "coveredResources",
            List.of("cpu"),
            "flavors",
            List.of(flavor("reserved", reserved), flavor("spot", spot)))));
  }

  private static Map<String, Object> flavor(String name, int cpus) {
    return Map.of("name", name, "resources", List.of(Map.of("name", "cpu", "nominalQuota", cpus)));
  }

  /** Creates a pod that runs and selects a pool. */
  private void createPodOf(ObjectNode maker, String name, String pool) {
    pods.createPod(
        name,
        1,
        PodScene.madeBy(
            maker, Trees.parse("{\"metadata\": {\"annotations\": {}, \"labels\": {}}}"), pod -> {
              Trees.child(pod, "metadata").remove("labels");
              Trees.child(pod, "spec").remove("schedulingGates");
              Trees.child(pod, "spec", "nodeSelector").put("pool", pool);
            }));
  }

  /** A tenant creates a pod that runs, and says that it is of a job. */
  private void createPodOf(String job, String name, int cpus) {
    createPodOf(job, name, cpus, tree -> {});
  }

  private void createPodOf(String job, String name, int cpus, Consumer<ObjectNode> edit) {
    String uid = scene.job(job).getMetadata().getUid();
    pods.createPod(name, cpus, tree -> {
      edit.accept(tree);
      Trees.child(tree, "metadata").remove("labels");
      Trees.child(tree, "spec").remove("schedulingGates");
      Trees.child(tree, "spec", "nodeSelector").put("pool", "spot");
      ((ObjectNode) tree.get("metadata"))
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "batch/v1")
          .put("kind", "Job")
          .put("name", job)
          .put("uid", uid)
          .put("controller", true);
    });
  }

  @Test
  void aDeletedJobHoldsItsQuotaUntilItsPodsAreGone() {
    scene.createJob("deleted", 3);
    scene.settle();
    String pod = onlyPod();
    pods.keep(pod);
    scene.createJob("next", 3);
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "deleted"));
    scene.settle();
    assertThat(pods.pod(pod).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(scene.runs("next")).isFalse();
    pods.gone(pod);
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.cluster.keys(key -> key.kind().equals("Workload"))).hasSize(1);
  }

  @Test
  void aPodThatIsTakenFromARunningJobCountsAndIsStoppedWithIt() {
    scene.createJob("job", 2);
    scene.settle();
    String first = onlyPod();
    pods.edit(first, tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    assertThat(running()).isLessThanOrEqualTo(4);
    assertThat(pods.find(first)).isEmpty();
    assertThat(scene.events("job")).contains("Stopped");
    assertThat(scene.events(first)).contains("Stopped");
  }

  @Test
  void aPodThatIsTakenFromAWaitingJobIsDeleted() {
    scene.createJob("first", 4);
    scene.createJob("job", 2);
    scene.settle();
    createPodOf("job", "forged", 1);
    assertThat(scene.state("job")).isEqualTo(JobState.STOPPING);
    pods.edit("forged", tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    assertThat(pods.find("forged")).isEmpty();
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
  }

  @Test
  void aJobWaitsForThePodsThatItsStatusCounts() {
    scene.createJob("job", 2);
    setActive(1);
    scene.work();
    assertThat(scene.state("job")).isEqualTo(JobState.STOPPING);
    setActive(0);
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
  }

  private void setActive(int count) {
    scene.cluster.edit(
        "job-controller",
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("Job", "default", "job"),
        tree -> Trees.child(tree, "status").put("active", count));
  }

  @Test
  void aPodIsCountedThoughTheNewsOfItsJobIsLate() {
    Job whole = scene.createJob("whole", 2);
    scene.settle();
    scene.createJob("part", 3, part -> {
      UnqueuedJobsTest.own(whole, part);
      part.getSpec().setSuspend(false);
      part.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("pool", "spot"));
    });
    scene.runPods();
    List<ClusterEvent> late = new ArrayList<>();
    scene.work(event -> {
      if (!event.object().getMetadata().getName().equals("part")) {
        return event;
      }
      late.add(event);
      return ClusterEvent.changed(scene.job("whole"));
    });
    late.forEach(scene.loop()::accept);
    scene.work();
    assertThat(scene.view("whole").messages().toString()).contains("admitted were 2");
  }

  @Test
  void aPodOfTheSameNameIsAnotherPodThoughTheDeletionWasMissed() {
    scene.createJob("first", 2);
    scene.settle();
    createPodOf("first", "late", 0);
    scene.finish("first");
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    scene.cluster.delete(StrictCluster.USER, PodScene.key("late"));
    scene.work(event -> ClusterEvent.changed(event.object()));
    pods.createPod("late", 2, tree -> {
      Trees.child(tree, "metadata").remove("labels");
      Trees.child(tree, "spec").remove("schedulingGates");
    });
    assertThat(pods.find("late")).isPresent();
    assertThat(scene.state("first")).isEqualTo(JobState.FINISHED);
  }

  @Test
  void aJobThatExceedsItsAdmissionWaitsLongerEachTime() {
    scene.createJob("job", 2);
    scene.settle();
    pods.edit(onlyPod(), tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    assertThat(scene.runs("job")).isTrue();
    for (int seconds : List.of(10, 20)) {
      pods.edit(onlyPod(), tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
      assertThat(scene.runs("job")).isFalse();
      assertThat(scene.view("job").messages().toString()).contains("more than was admitted");
      scene.clock.advance(Duration.ofSeconds(seconds - 1));
      scene.settle();
      assertThat(scene.runs("job")).isFalse();
      scene.clock.advance(Duration.ofSeconds(1));
      scene.settle();
      assertThat(scene.runs("job")).isTrue();
    }
  }

  @Test
  void aPodThatAnotherCreatesForTheJobCounts() {
    scene.createJob("job", 2);
    scene.settle();
    createPodOf("job", "forged", 50);
    assertThat(scene.view("job").messages().toString()).contains("52", "admitted were 2");
  }

  @Test
  void aPodThatRequestsWhatItsJobWasNotAdmittedForCounts() {
    scene.editQueue(
        "resourceGroups",
        List.of(Map.of(
            "coveredResources",
            List.of("cpu", "memory"),
            "flavors",
            List.of(Map.of(
                "name",
                "spot",
                "resources",
                List.of(
                    Map.of("name", "cpu", "nominalQuota", 4),
                    Map.of("name", "memory", "nominalQuota", 4)))))));
    scene.createJob("job", 2);
    scene.settle();
    createPodOf(
        "job",
        "forged",
        0,
        tree -> ((ObjectNode) tree.at("/spec/containers/0/resources/requests")).put("memory", 1));
    assertThat(scene.view("job").messages())
        .containsExactly("Its pods request 1 of memory, admitted were 0");
  }

  @Test
  void aResizedPodCounts() {
    pods.createPod("single", 1, tree -> {});
    assertThat(pods.runs("single")).isTrue();
    resize("single", 50);
    assertThat(pods.find("single")).isEmpty();
    assertThat(scene.events("single")).contains("Stopped");
  }

  /** The node has given a container as much. */
  private void resize(String pod, int cpus) {
    scene.cluster.edit(
        "kubelet",
        ApiWrite.Verb.REPLACE_STATUS,
        PodScene.key(pod),
        tree -> Trees.child(tree, "status")
            .putArray("containerStatuses")
            .addObject()
            .put("name", "main")
            .putObject("resources")
            .putObject("requests")
            .put("cpu", Integer.toString(cpus)));
    scene.settle();
  }

  @Test
  void aResizedPodThatLostItsJobIsStopped() {
    scene.createJob("left", 3);
    scene.settle();
    String pod = onlyPod();
    orphan("left");
    scene.settle();
    resize(pod, 50);
    assertThat(pods.find(pod)).isEmpty();
    assertThat(scene.events(pod)).contains("Stopped");
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void aLargerPodOfTheSameRoleDoesNotStart() {
    Consumer<ObjectNode> role = tree -> PodScene.annotations(tree)
        .put(PodScene.GROUP_NAME, "group")
        .put("kueue.x-k8s.io/pod-group-total-count", "2")
        .put("kueue.x-k8s.io/role-hash", "forged");
    pods.createPod("small", 1, role);
    pods.createPod("large", 500, role);
    assertThat(pods.runs("small")).isTrue();
    assertThat(pods.find("large")).isEmpty();
    assertThat(scene.events("large")).contains("Stopped");
  }

  private void createGroupOnBothFlavors() {
    pods.createMember("group", "a", 1, 2);
    pods.createPod("b", 1, tree -> {
      PodScene.annotations(tree)
          .put(PodScene.GROUP_NAME, "group")
          .put("kueue.x-k8s.io/pod-group-total-count", "2");
      Trees.child(tree, "spec", "nodeSelector").put("other", "role");
    });
    assertThat(pods.pod("a").getSpec().getNodeSelector())
        .isNotEqualTo(pods.pod("b").getSpec().getNodeSelector());
    assertThat(pods.runs("a") && pods.runs("b")).isTrue();
  }

  @Test
  void aPodThatLostItsGroupAndExceedsItsFlavorIsDeleted() {
    setQuotas(1, 1);
    createGroupOnBothFlavors();
    for (String pod : List.of("a", "b")) {
      pods.edit(pod, tree -> {
        PodScene.labels(tree).removeAll();
        PodScene.annotations(tree).removeAll();
      });
    }
    pods.delete("b");
    assertThat(pods.find("a")).isPresent();
    resize("a", 2);
    assertThat(pods.find("a")).isEmpty();
  }

  /** In all they would fit, if the other one went. */
  @Test
  void aPodThatExceedsItsFlavorIsDeletedAndNotAnother() {
    setQuotas(1, 1);
    createGroupOnBothFlavors();
    resize("a", 2);
    assertThat(pods.find("a")).isEmpty();
    assertThat(pods.find("b")).isPresent();
  }

  @Test
  void aLargerReplacementOfAPodDoesNotStart() {
    pods.createMember("group", "a", 1, 2);
    pods.createMember("group", "b", 1, 2);
    assertThat(pods.runs("b")).isTrue();
    pods.setPhase("b", "Failed");
    pods.createPod(
        "c",
        500,
        tree -> PodScene.annotations(tree)
            .put(PodScene.GROUP_NAME, "group")
            .put("kueue.x-k8s.io/pod-group-total-count", "2")
            .put("kueue.x-k8s.io/role-hash", role("b")));
    assertThat(pods.runs("a")).isTrue();
    assertThat(pods.find("c").filter(found -> !pods.isGated("c"))).isEmpty();
  }

  private String role(String name) {
    Pod pod = pods.pod(name);
    return pod.getMetadata().getAnnotations().getOrDefault("kueue.x-k8s.io/role-hash", "");
  }

  @Test
  void aPodThatIsTakenFromItsGroupHoldsTheQuotaOfTheGroup() {
    pods.createMember("group", "a", 3, 1);
    assertThat(pods.runs("a")).isTrue();
    pods.edit("a", tree -> {
      PodScene.labels(tree).removeAll();
      PodScene.annotations(tree).removeAll();
    });
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
    pods.delete("a");
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void aPodTakenFromItsGroupStopsThoughTheRecordIsUnreadable() {
    pods.createMember("group", "a", 1, 2);
    pods.createMember("group", "b", 1, 2);
    assertThat(pods.runs("b")).isTrue();
    pods.edit("b", tree -> PodScene.labels(tree).removeAll());
    change(
        new ObjectKey("kueue.x-k8s.io", "Workload", "default", "group"),
        tree -> Trees.child(tree, "spec").remove("podSets"));
    AtomicInteger failures = new AtomicInteger(1);
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      if (failures.getAndDecrement() > 0) {
        throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
      }
    }));
    scene.settle();
    assertThat(pods.find("a")).isPresent();
    scene.clock.advance(Duration.ofSeconds(1));
    scene.settle();
    assertThat(pods.find("a")).isEmpty();
    assertThat(pods.find("b")).isEmpty();
    assertThat(scene.events("b")).contains("Stopped");
  }
}
