package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is recorded of running jobs that are to have more pods, or fewer, and restarts. */
class ElasticRecordsTest {
  private static final int RUNS = 10 * Integer.getInteger("kueue4j.tries", 1);

  // ----- fewer pods

  private static ObjectKey onlyWorkload(Scene scene) {
    return scene.cluster.keys(key -> key.kind().equals("Workload")).get(0);
  }

  /** The job {@code next} must not run beside the 4 pods that still run, which go on. */
  private static void assertAllCount(ElasticScene elastic) {
    Scene scene = elastic.scene;
    scene.createJob("next", 2);
    scene.restart();
    scene.work();
    scene.work();
    assertThat(scene.runs("next")).isFalse();
    assertThat(scene.usedMillis()).isEqualTo(4000);
    elastic.settle();
    elastic.assertScaled(4);
  }

  @Test
  void aWorkloadThatSaysFewerPodsThanRunIsNotBelieved() {
    ElasticScene elastic = ElasticScene.running(4);
    elastic.scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        onlyWorkload(elastic.scene),
        tree -> ((ObjectNode) tree.at("/spec/podSets/0")).put("count", 2));
    assertAllCount(elastic);
  }

  /** The job has as many pods again when the write arrives. */
  @Test
  void aLateWriteOfFewerPodsThanRunIsNotBelieved() {
    ElasticScene elastic = ElasticScene.running(4);
    Scene scene = elastic.scene;
    List<Runnable> late = new ArrayList<>();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (late.isEmpty() && object.getKind().equals("Workload")) {
          late.add(() -> super.replace(object));
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "no answer");
        }
        return super.replace(object);
      }
    });
    elastic.resize("elastic", 2);
    scene.runPods();
    scene.work();
    elastic.resize("elastic", 4);
    elastic.settle();
    assertThat(late).hasSize(1);
    assertThat(elastic.running("elastic")).isEqualTo(4);
    late.get(0).run();
    assertAllCount(elastic);
  }

  // ----- Workloads

  @Test
  void aJobStartsOverIfItsQueueHasAdmissionChecks() {
    ElasticScene elastic = new ElasticScene();
    Scene scene = elastic.scene;
    scene.cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse("""
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck",
             "metadata": {"name": "budget"}, "spec": {"controllerName": "example.com/checks"}}
            """)));
    scene.cluster.edit(
        "checks",
        ApiWrite.Verb.REPLACE_STATUS,
        new ObjectKey("kueue.x-k8s.io", "AdmissionCheck", "", "budget"),
        tree -> tree.set("status", Trees.parse("""
            {"conditions": [{"type": "Active", "status": "True", "reason": "Ok", "message": "",
              "lastTransitionTime": "2026-01-01T00:00:00Z"}]}""")));
    scene.editQueue("admissionChecks", List.of("budget"));
    elastic.create("elastic", 2);
    elastic.settle();
    scene.cluster.edit(
        "checks",
        ApiWrite.Verb.REPLACE_STATUS,
        key(elastic.workloads("elastic").get(0)),
        tree -> ((ObjectNode) tree.at("/status/admissionChecks/0"))
            .put("state", "Ready")
            .put("message", "")
            .put("lastTransitionTime", scene.clock.instant().toString()));
    elastic.settle();
    assertThat(elastic.running("elastic")).isEqualTo(2);
    elastic.scale("elastic", 3);
    assertThat(elastic.wasStopped("elastic")).isTrue();
    assertThat(elastic.messages("elastic"))
        .anyMatch(message -> message.endsWith("ClusterQueue research has admission checks"));
    assertThat(scene.state("elastic")).isEqualTo(JobState.RESERVED);
    assertThat(elastic.running("elastic")).isZero();
  }

  @Test
  void theSlicesOfAJobAreWorkloadsAsInKueue() {
    ElasticScene elastic = ElasticScene.waitingToGrow();

    JsonNode first = elastic.workloads("elastic").get(0);
    JsonNode second = elastic.workloads("elastic").get(1);
    String name = first.at("/metadata/name").asText();
    JsonNode annotations = second.at("/metadata/annotations");
    assertThat(annotations.path("kueue.x-k8s.io/workload-slice-replacement-for").asText())
        .isEqualTo("default/" + name);
    assertThat(annotations.path("kueue.x-k8s.io/workload-slice-name").asText()).isEqualTo(name);
    assertThat(annotations.path(ElasticScene.ANNOTATION).asText()).isEqualTo("true");
    assertThat(second.at("/spec/podSets/0/count").asInt()).isEqualTo(4);
    assertThat(second.at("/spec/podSets/0/template/spec/nodeSelector").size())
        .as("the template before the start")
        .isEqualTo(1);
    assertThat(WorkloadScene.condition(second, "QuotaReserved").path("message").asText())
        .contains("1 available");
    assertThat(WorkloadScene.isTrue(first, "Finished")).isFalse();

    elastic.finish("other");
    assertThat(elastic.workloads("elastic")).hasSize(2);
    first = elastic.workloads("elastic").get(0);
    second = elastic.workloads("elastic").get(1);
    assertThat(WorkloadScene.condition(first, "Finished").path("reason").asText())
        .isEqualTo("WorkloadSliceReplaced");
    assertThat(WorkloadScene.isTrue(second, "Admitted")).isTrue();
    assertThat(second.at("/status/admission/podSetAssignments/0/count").asInt()).isEqualTo(4);

    elastic.scale("elastic", 1);
    elastic.scale("elastic", 3);
    assertThat(elastic.running("elastic")).isEqualTo(3);
    assertThat(elastic.workloads("elastic")).hasSize(3);
    assertThat(elastic
            .workloads("elastic")
            .get(2)
            .at("/metadata/annotations")
            .path("kueue.x-k8s.io/workload-slice-name")
            .asText())
        .isEqualTo(name);
    elastic.assertCounted("elastic");
  }

  @Test
  void anAdmissionIsRecordedBeforePodsStart() {
    ElasticScene elastic = ElasticScene.running(2);
    elastic.scale("elastic", 4);
    long recorded = revision(
        elastic,
        write -> write.key().kind().equals("Workload")
            && write
                    .after("status", "admission", "podSetAssignments")
                    .path(0)
                    .path("count")
                    .asInt()
                == 4);
    long thirdPod = elastic.scene.log().stream()
        .filter(write -> write.key().kind().equals("Pod")
            && !write.before("spec", "schedulingGates").isEmpty()
            && write.after("spec", "schedulingGates").isEmpty())
        .skip(2)
        .findFirst()
        .orElseThrow()
        .revision();
    assertThat(recorded).isLessThan(thirdPod);
  }

  private static long revision(ElasticScene elastic, Predicate<ApiWrite> wanted) {
    return elastic.scene.log().stream().filter(wanted).findFirst().orElseThrow().revision();
  }

  @Test
  void aWorkloadThatWaitsAndIsDeletedIsCreatedAgain() {
    ElasticScene elastic = ElasticScene.waitingToGrow();
    elastic.scene.cluster.delete(
        StrictCluster.USER, key(elastic.workloads("elastic").get(1)));
    elastic.finish("other");
    assertThat(elastic.workloads("elastic")).hasSize(2);
    elastic.assertScaled(4);
  }

  @Test
  void aWorkloadThatWaitsCanBeDeactivated() {
    ElasticScene elastic = ElasticScene.waitingToGrow();
    ObjectKey waiting = key(elastic.workloads("elastic").get(1));
    elastic.scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        waiting,
        tree -> Trees.child(tree, "spec").put("active", false));
    elastic.finish("other");
    assertThat(elastic.running("elastic")).isEqualTo(2);
    assertThat(elastic.scene.view("elastic").messages())
        .contains(
            "cannot grow: Workload " + waiting.name() + " is not active, by its field spec.active");
    elastic.scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        waiting,
        tree -> Trees.child(tree, "spec").put("active", true));
    elastic.settle();
    elastic.assertScaled(4);
  }

  @Test
  void aWorkloadDeletedTwiceBeforeItsNewsDelaysNothing() {
    ElasticScene elastic = ElasticScene.waitingToGrow();
    elastic.resize("elastic", 2);
    elastic.scene.work();
    // The news of the deletion is late.
    List<ClusterEvent> late = new ArrayList<>();
    elastic.scene.edit("elastic", job -> job.getMetadata().getLabels().put("edited", "yes"));
    elastic.scene.work(event -> {
      if (!event.object().getKind().equals("Workload")) {
        return event;
      }
      late.add(event);
      return ClusterEvent.changed(elastic.scene.job("other"));
    });
    late.forEach(elastic.scene.loop()::accept);
    elastic.resize("elastic", 3);
    elastic.scene.settle();

    assertThat(elastic.running("elastic")).isEqualTo(3);
  }

  @Test
  void nothingIsWrittenToAWorkloadThatIsBeingDeleted() {
    ElasticScene elastic = new ElasticScene();
    elastic.create("elastic", 5);
    elastic.settle();
    List<String> refused = new ArrayList<>();
    elastic.scene.restart(new InterceptedWrites(elastic.scene.connection()) {
      @Override
      protected <T> T intercept(Supplier<T> write) {
        try {
          return write.get();
        } catch (WriteException e) {
          refused.add(String.valueOf(e.getMessage()));
          throw e;
        }
      }
    });
    elastic.scale("elastic", 6);
    assertThat(elastic.workloads("elastic"))
        .singleElement()
        .satisfies(
            workload -> assertThat(workload.at("/spec/podSets/0/count").asInt()).isEqualTo(6));
    assertThat(refused).isEmpty();
  }

  @Test
  void aJobHoldsNoQuotaWhileItsOldWorkloadIsKept() {
    ElasticScene elastic = new ElasticScene();
    elastic.create("elastic", 5);
    elastic.settle();
    ObjectKey old = key(elastic.workloads("elastic").get(0));
    setFinalizers(elastic, old, List.of("example.com/audit"));
    elastic.scale("elastic", 3);
    assertThat(elastic.scene.usedMillis()).isZero();
    assertThat(elastic.messages("elastic"))
        .anyMatch(message -> message.contains("finalizers [example.com/audit]"));
    assertThat(elastic.running("elastic")).isZero();

    setFinalizers(elastic, old, List.of());
    elastic.settle();
    assertThat(elastic.running("elastic")).isEqualTo(3);
  }

  private static void setFinalizers(
      ElasticScene elastic, ObjectKey workload, List<String> finalizers) {
    elastic.scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        workload,
        tree ->
            finalizers.forEach(((ObjectNode) tree.path("metadata")).putArray("finalizers")::add));
  }

  private static ObjectKey key(JsonNode workload) {
    return Scene.key("Workload", "default", workload.at("/metadata/name").asText());
  }

  /** Without the guard, users may be able to write the spec of Workloads. */
  @Test
  void theSpecOfAWorkloadAdmitsNothing() {
    ElasticScene elastic = ElasticScene.contended();
    elastic.scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        key(elastic.workloads("elastic").get(0)),
        tree -> ((ObjectNode) tree.at("/spec/podSets/0")).put("count", 4));
    elastic.resize("elastic", 4);
    elastic.scene.runPods();
    elastic.scene.restart();
    elastic.settle();
    assertThat(elastic.running("elastic")).isEqualTo(2);
    elastic.assertCounted("elastic", "other");
    elastic.finish("other");
    assertThat(elastic.running("elastic")).isEqualTo(4);
    elastic.assertCounted("elastic");
  }

  // ----- restarts

  /** Scales jobs; a step of a controller that has ended is continued by another one. */
  private static void play(ElasticScene elastic, Runnable settle) {
    settle.run();
    elastic.resize("elastic", 4);
    settle.run();
    elastic.scene.finish("other");
    settle.run();
    elastic.resize("elastic", 2);
    settle.run();
    elastic.resize("elastic", 3);
    settle.run();
  }

  @Test
  void aControllerThatEndsAfterAnyWriteLosesNothing() {
    int writes = 0;
    boolean died = true;
    while (died) {
      ElasticScene elastic = new ElasticScene();
      elastic.create("elastic", 2);
      elastic.create("other", 1);
      elastic.scene.restart(new MortalWrites(elastic.scene.connection(), writes));
      boolean[] dead = {false};
      play(elastic, () -> {
        try {
          elastic.settle();
        } catch (MortalWrites.Death e) {
          dead[0] = true;
          elastic.scene.restart();
          elastic.settle();
        }
      });
      assertThat(elastic.running("elastic")).as("%d writes", writes).isEqualTo(3);
      assertThat(elastic.wasStopped("elastic")).as("%d writes", writes).isFalse();
      elastic.assertCounted("elastic");
      died = dead[0];
      writes++;
    }
    assertThat(writes).isGreaterThan(10);
  }

  @Test
  void controllersWhoseWritesGetLostScaleJobs() {
    for (int seed = 0; seed < RUNS; seed++) {
      ElasticScene elastic = new ElasticScene();
      try {
        scaleAtRandom(elastic, new Random(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Scales two jobs while others come and go, and controllers end. */
  private static void scaleAtRandom(ElasticScene elastic, Random random) {
    Scene scene = elastic.scene;
    elastic.create("a", 1);
    elastic.create("b", 1);
    scene.restart(new UnansweredWrites(scene.connection(), random));
    for (int step = 0; step < 15; step++) {
      if (random.nextInt(4) == 0) {
        String priority = random.nextBoolean() ? "high" : "none";
        scene.createJob(
            "other" + step, 1, Scene.withLabel("kueue.x-k8s.io/priority-class", priority));
      } else {
        elastic.resize(random.nextBoolean() ? "a" : "b", 1 + random.nextInt(4));
      }
      try {
        if (random.nextInt(5) == 0) {
          scene.restart(new UnansweredWrites(scene.connection(), random));
        }
        if (random.nextInt(3) == 0) {
          scene.settle();
        } else if (random.nextBoolean()) {
          scene.runPods();
        } else {
          Instant unused = scene.work();
        }
      } catch (MortalWrites.Death e) {
        scene.restart(new UnansweredWrites(scene.connection(), random));
      }
      scene.clock.advance(Duration.ofSeconds(random.nextInt(5)));
      scene.finish("other" + (step - 3));
    }
    scene.restart();
    elastic.settle();
    for (int step = 0; step < 15; step++) {
      scene.finish("other" + step);
    }
    elastic.resize("a", 3);
    elastic.scale("b", 1);
    elastic.settle();
    assertThat(elastic.running("a")).isEqualTo(3);
    assertThat(elastic.running("b")).isEqualTo(1);
    elastic.assertCounted("a", "b");
  }
}
