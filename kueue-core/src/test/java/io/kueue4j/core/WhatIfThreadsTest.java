package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One thread makes random calls of an engine while others fork it. */
class WhatIfThreadsTest {
  private static final int CALLS = 400;
  private static final int READERS = 3;

  @Test
  void studiesOfAViewAgreeWhateverTheEngineDoesMeanwhile() throws Exception {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(() -> Cluster.START).build();
    Choices random = Choices.ofSeed(1);
    RandomCall.beginning(random).forEach(call -> call.callOn(engine));
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int seed = i;
        running.add(threads.submit(() -> study(engine, new Random(seed), done)));
      }
      running.add(threads.submit(() -> {
        for (int i = 0; i < CALLS; i++) {
          RandomCall.next(random).callOn(engine);
        }
        done.set(true);
      }));
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private static void study(AdmissionEngine engine, Random random, AtomicBoolean done) {
    while (!done.get()) {
      EngineView view = engine.view();
      List<RandomCall> calls = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        calls.add(RandomCall.next(random));
      }
      String first = studyOf(view, calls);
      assertThat(studyOf(view, calls)).isEqualTo(first);
      assertThat(EngineDescription.describe(view.whatIf().view()))
          .isEqualTo(EngineDescription.describe(view));
    }
  }

  private static String studyOf(EngineView view, List<RandomCall> calls) {
    AdmissionEngine study = view.whatIf();
    StringBuilder answers = new StringBuilder();
    calls.forEach(call -> answers.append(call.callOn(study)).append('\n'));
    return answers.append(EngineDescription.describe(study)).toString();
  }
}
