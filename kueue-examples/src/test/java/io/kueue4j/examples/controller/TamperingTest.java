package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random lives of jobs whose Workloads are edited, exchanged, put back and deleted by a tenant who
 * may not write their status, while the controller runs and while it does not: whenever everything
 * is at rest, running jobs are exactly the counted ones.
 */
class TamperingTest {
  private static final int RUNS = 30 * Integer.getInteger("kueue4j.tries", 1);
  private static final int STEPS = 25;
  private static final long QUOTA_MILLIS = 4000;

  /** One life, determined by a seed. */
  private static final class Life {
    private final Random random;
    private final Scene scene = Scene.create();
    private final List<String> names = new ArrayList<>();

    /** Workloads that recorded an admission once. */
    private final List<ObjectNode> admitted = new ArrayList<>();

    private int stopped;

    Life(long seed) {
      random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        act();
        if (random.nextInt(2) == 0) {
          scene.restart();
        }
        scene.clock.advance(Duration.ofSeconds(random.nextInt(20)));
        scene.settle();
        scene.clock.advance(Duration.ofMinutes(11));
        scene.settle();
        check();
      }
      stopped = names.stream()
          .mapToInt(name -> Collections.frequency(scene.events(name), "Suspended")
              + Collections.frequency(scene.events(name), "Stopped"))
          .sum();
    }

    /** Changes some job. */
    private void act() {
      int choice = names.isEmpty() ? 0 : random.nextInt(10);
      if (choice < 3) {
        String name = "job" + names.size();
        names.add(name);
        boolean isHigh = random.nextInt(3) == 0;
        scene.createJob(name, 1 + random.nextInt(4), job -> {
          if (isHigh) {
            job.getMetadata().getLabels().put("kueue.x-k8s.io/priority-class", "high");
          }
        });
        return;
      }
      String name = names.get(random.nextInt(names.size()));
      if (scene.job(name).getStatus().getCompletionTime() != null) {
        return;
      }
      switch (choice) {
        case 3 -> scene.finish(name);
        case 4 -> tamper(name, tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
        case 5 ->
          tamper(
              name,
              tree -> ((ObjectNode) tree.at("/spec/podSets/0/template/spec/containers/0/resources"))
                  .putObject("requests")
                  .put("cpu", "0"));
        case 6 ->
          tamper(name, tree -> {
            Trees.child(tree, "metadata").remove("finalizers");
            Trees.child(tree, "metadata", "annotations").remove("kueue4j.io/original");
          });
        case 7 -> {
          tamper(name, tree -> Trees.child(tree, "metadata").remove("finalizers"));
          scene
              .workload(name)
              .ifPresent(workload -> scene.cluster.delete(
                  StrictCluster.USER,
                  Scene.key("Workload", "default", workload.getMetadata().getName())));
        }
        case 8 -> scene.edit(name, job -> job.getSpec().setSuspend(random.nextBoolean()));
        default -> {
          if (!admitted.isEmpty()) {
            putBack(name, admitted.get(random.nextInt(admitted.size())));
          }
        }
      }
    }

    /** Edits the Workload of a job, if there is one, and lets the job run. */
    private void tamper(String name, Consumer<ObjectNode> change) {
      scene
          .workload(name)
          .ifPresent(workload -> scene.cluster.edit(
              StrictCluster.USER,
              ApiWrite.Verb.REPLACE,
              Scene.key("Workload", "default", workload.getMetadata().getName()),
              change));
      scene.edit(name, job -> job.getSpec().setSuspend(false));
    }

    /** Gives a job the spec and the annotations of a Workload that was there before. */
    private void putBack(String name, ObjectNode before) {
      tamper(name, tree -> {
        tree.set("spec", before.path("spec").deepCopy());
        Trees.child(tree, "metadata")
            .set("annotations", before.at("/metadata/annotations").deepCopy());
      });
    }

    private void check() {
      long running = 0;
      for (String name : names) {
        Job job = scene.job(name);
        running += Scene.runningMillis(job);
        if (Scene.runningMillis(job) > 0) {
          assertThat(scene.state(name)).as(name).isEqualTo(JobState.ADMITTED);
          admitted.add((ObjectNode) scene.record(name));
        }
      }
      assertThat(running).isEqualTo(scene.usedMillis()).isLessThanOrEqualTo(QUOTA_MILLIS);
    }
  }

  @Test
  void whateverIsDoneToWorkloadsWhatRunsIsCounted() {
    int stopped = 0;
    for (long seed = 1; seed <= RUNS; seed++) {
      Life life = new Life(seed);
      try {
        life.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed, e);
      }
      stopped += life.stopped;
    }
    // An action that never happens proves nothing.
    assertThat(stopped).isGreaterThan(RUNS);
  }
}
