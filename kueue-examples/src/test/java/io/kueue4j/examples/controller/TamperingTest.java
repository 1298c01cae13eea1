package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random lives of jobs whose notes are edited, copied, restored and removed, while the controller
 * runs and while it does not: whenever everything is at rest, running jobs are exactly the counted
 * ones.
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

    /** Every note that ever existed. */
    private final List<String> notes = new ArrayList<>();

    private int refused;

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
      refused = names.stream()
          .mapToInt(name -> Collections.frequency(scene.events(name), "AdmissionRefused"))
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
        case 4 -> scene.forge(name, "");
        case 5 ->
          scene.forge(name, scene.note(name).replaceFirst("\"cpu\":\"\\d\"", "\"cpu\":\"0\""));
        case 6 -> scene.forge(name, scene.note(name).replace("research", "nowhere"));
        case 7 -> scene.forge(name, scene.note(names.get(random.nextInt(names.size()))));
        case 8 -> scene.edit(name, job -> job.getSpec().setSuspend(random.nextBoolean()));
        default -> {
          if (!notes.isEmpty()) {
            scene.forge(name, notes.get(random.nextInt(notes.size())));
          }
        }
      }
    }

    private void check() {
      long running = 0;
      for (String name : names) {
        Job job = scene.job(name);
        running += Scene.runningMillis(job);
        if (Scene.runningMillis(job) > 0) {
          assertThat(scene.state(name)).as(name).isEqualTo(JobState.ADMITTED);
          notes.add(scene.note(name));
        }
      }
      assertThat(running).isEqualTo(scene.usedMillis()).isLessThanOrEqualTo(QUOTA_MILLIS);
    }
  }

  @Test
  void whateverIsDoneToNotesWhatRunsIsCounted() {
    int refused = 0;
    for (long seed = 1; seed <= RUNS; seed++) {
      Life life = new Life(seed);
      try {
        life.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed, e);
      }
      refused += life.refused;
    }
    // An action that never happens proves nothing.
    assertThat(refused).isGreaterThan(RUNS);
  }
}
