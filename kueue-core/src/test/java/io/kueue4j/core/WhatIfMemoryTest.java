package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.ClusterQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What studies and views copy, and what they keep in memory. */
class WhatIfMemoryTest {
  private final Cluster cluster = new Cluster();

  @Test
  void aViewCopiesNothing() {
    withPendingInTwoQueuesOfACohort();
    EngineView unused = cluster.engine.view();

    assertThat(shared("a")).containsExactly("pending", "tree");
    assertThat(shared("b")).containsExactly("pending", "tree");
  }

  @Test
  void aSubmissionCopiesOnlyThePendingWorkloadsOfItsQueue() {
    withPendingInTwoQueuesOfACohort();
    EngineView view = cluster.engine.view();

    cluster.submit("later", "a", 6);

    assertThat(shared("a")).containsExactly("tree");
    assertThat(shared("b")).containsExactly("pending", "tree");
    assertThat(view.clusterQueue("a").orElseThrow().waitingCount()).isEqualTo(1);
  }

  @Test
  void aReleaseCopiesOnlyTheTree() {
    withPendingInTwoQueuesOfACohort();
    EngineView view = cluster.engine.view();

    cluster.engine.finish(id("running"));

    assertThat(shared("a")).containsExactly("pending");
    assertThat(shared("b")).containsExactly("pending");
    assertThat(admitted(view, "b")).containsExactly("running");
    assertThat(admitted(view.whatIf().view(), "b")).containsExactly("running");
  }

  @Test
  void aStudyCopiesOnlyWhatItChanges() {
    withPendingInTwoQueuesOfACohort();
    AdmissionEngine study = cluster.engine.view().whatIf();

    Explanation unused = study.explain(id("waits-in-a"));
    assertThat(shared(study, "a")).containsExactly("pending", "tree");
    assertThat(study.delete(id("waits-in-b")).removed()).isNotEmpty();

    assertThat(shared(study, "a")).containsExactly("pending", "tree");
    assertThat(shared(study, "b")).containsExactly("tree");
    assertThat(study.view().clusterQueue("b").orElseThrow().inadmissible()).isEmpty();
    assertThat(cluster.inadmissible("b")).containsExactly("waits-in-b");
  }

  private List<String> shared(String queue) {
    return shared(cluster.engine, queue);
  }

  /** {@return what of a ClusterQueue an engine shares with views and studies} */
  private static List<String> shared(AdmissionEngine engine, String name) {
    return engine.inspect(state -> {
      QueueState queue = state.queue(name).orElseThrow();
      List<String> shared = new ArrayList<>();
      if (queue.pending().isShared()) {
        shared.add("pending");
      }
      if (queue.quota().isShared()) {
        shared.add("tree");
      }
      return shared;
    });
  }

  private void withPendingInTwoQueuesOfACohort() {
    cluster.with(queue("a", 4).cohort("c"), queue("b", 4).cohort("c"));
    cluster.run("running", "b", 8);
    cluster.submit("waits-in-a", "a", 6);
    cluster.submit("waits-in-b", "b", 6);
    cluster.settle();
  }

  /** Waits until what {@code reference} refers to has been collected. */
  private static void assertDropped(WeakReference<?> reference) throws InterruptedException {
    for (int i = 0; i < 100 && reference.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(reference.get()).isNull();
  }

  @Test
  void theEngineDoesNotKeepStudiesAndViews() throws InterruptedException {
    cluster.with(queue("a", 4));
    List<WeakReference<?>> dropped = new ArrayList<>(studyAndDrop());

    for (WeakReference<?> reference : dropped) {
      assertDropped(reference);
    }
    cluster.run("later", "a", 1);
    assertThat(admitted(cluster.engine.view(), "a")).containsExactly("in-engine", "later");
  }

  private List<WeakReference<?>> studyAndDrop() {
    EngineView view = cluster.engine.view();
    AdmissionEngine study = view.whatIf();
    AdmissionResult unused7 = study.tryAdmit(cluster.job("in-study", "a", 1)).result();
    cluster.run("in-engine", "a", 1);
    return List.of(new WeakReference<>(view), new WeakReference<>(study));
  }

  @Test
  void aPictureKeepsNoEngine() throws InterruptedException {
    List<ClusterQueueView> pictures = new ArrayList<>();
    WeakReference<?> engine = pictureOfNewEngine(pictures);

    assertDropped(engine);

    assertThat(pictures.get(0).pending()).containsExactly(id("waiting"));
  }

  private static WeakReference<?> pictureOfNewEngine(List<ClusterQueueView> pictures) {
    Cluster other = new Cluster();
    ClusterQueue.Builder queue = queue("a", 4);
    other.with(queue);
    other.submit("waiting", "a", 1);
    pictures.add(other.view("a"));
    return new WeakReference<>(other.engine);
  }
}
