package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.internal.fork.KeptParts;
import io.kueue4j.core.internal.fork.StatePart;
import io.kueue4j.core.model.ClusterQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What studies and views copy, and what they keep in memory. */
class WhatIfMemoryTest {
  private final Cluster cluster = new Cluster();

  @Test
  void pendingWorkloadsAreCopiedToAStudyOnlyForTheQueuesThatItLooksInto() {
    withPendingInTwoQueuesOfACohort();
    AdmissionEngine study = cluster.engine.view().whatIf();

    assertThat(study.tryAdmit(cluster.job("new", "a", 1)).isAdmitted()).isFalse();
    assertThat(known(study)).containsExactlyInAnyOrder("running");

    Explanation unused = study.explain(id("waits-in-a"));
    assertThat(known(study)).containsExactlyInAnyOrder("running", "waits-in-a");

    assertThat(study.delete(id("waits-in-b"))).isTrue();
    assertThat(known(study)).containsExactlyInAnyOrder("running", "waits-in-a");
    assertThat(study.view().clusterQueue("b").orElseThrow().inadmissible()).isEmpty();
    assertThat(cluster.inadmissible("b")).containsExactly("waits-in-b");
  }

  @Test
  void pendingWorkloadsAreKeptForAViewOnlyForTheQueuesThatChange() {
    withPendingInTwoQueuesOfACohort();
    EngineView view = cluster.engine.view();

    cluster.submit("later", "a", 6);

    KeptParts kept = view.snapshot().kept();
    assertThat(kept.pending()).extracting(StatePart::id).containsExactly(StatePart.Id.pending("a"));
    assertThat(kept.trees()).isEmpty();
    assertThat(view.clusterQueue("a").orElseThrow().waitingCount()).isEqualTo(1);

    cluster.engine.finish(id("running"));

    assertThat(kept.pending()).extracting(StatePart::id).containsExactly(StatePart.Id.pending("a"));
    assertThat(kept.trees()).hasSize(1);
    assertThat(admitted(view, "b")).containsExactly("running");
    assertThat(admitted(view.whatIf().view(), "b")).containsExactly("running");
  }

  @Test
  void aRequeueEventCopiesPendingWorkloadsOnlyWhenAnOlderViewReadsThem() {
    withPendingInTwoQueuesOfACohort();
    EngineView before = cluster.engine.view();
    cluster.engine.finish(id("running"));
    assertThat(cluster.engine.explain(id("waits-in-a")).isActive()).isTrue();
    EngineView after = cluster.engine.view();
    KeptParts kept = before.snapshot().kept();
    assertThat(kept.pending()).isEmpty();

    assertThat(after.clusterQueue("a").orElseThrow().pending()).containsExactly(id("waits-in-a"));
    assertThat(kept.pending()).isEmpty();
    assertThat(before.clusterQueue("a").orElseThrow().inadmissible())
        .containsExactly(id("waits-in-a"));
    assertThat(kept.pending()).extracting(StatePart::id).containsExactly(StatePart.Id.pending("a"));
    assertThat(before.whatIf().runCycle().isEmpty()).isTrue();

    assertThat(DecisionText.admitted(cluster.cycle())).containsExactly("waits-in-a");
    assertThat(before.clusterQueue("b").orElseThrow().inadmissible())
        .containsExactly(id("waits-in-b"));
    assertThat(after.clusterQueue("b").orElseThrow().pending()).containsExactly(id("waits-in-b"));
    assertThat(after.whatIf().runCycle().admitted()).hasSize(1);
  }

  private void withPendingInTwoQueuesOfACohort() {
    cluster.with(queue("a", 4).cohort("c"), queue("b", 4).cohort("c"));
    cluster.run("running", "b", 8);
    cluster.submit("waits-in-a", "a", 6);
    cluster.submit("waits-in-b", "b", 6);
    cluster.settle();
  }

  private static List<String> known(AdmissionEngine study) {
    return study.inspect(state ->
        state.workloads().all().stream().map(record -> record.workload().name()).toList());
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
    AdmissionResult unused7 = study.tryAdmit(cluster.job("in-study", "a", 1));
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
