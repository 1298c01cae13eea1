package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.cohort;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WhatIfTest {
  private final Cluster cluster = new Cluster();

  @Test
  void aStudyAdmitsAndTheEngineDoesNotKnow() {
    cluster.with(queue("a", 4), queue("b", 4));
    cluster.run("running", "a", 3);
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.finish(id("running"));
    assertThat(study.tryAdmit(cluster.job("new", "a", 4)).result().isAdmitted()).isTrue();

    assertThat(admitted(study.view(), "a")).containsExactly("new");
    assertThat(admitted(cluster.engine.view(), "a")).containsExactly("running");
    assertThat(cluster.engine.admission(id("new"))).isEmpty();
  }

  @Test
  void changesOfTheEngineAreSeenNeitherInViewsNorInStudies() {
    cluster.with(queue("a", 4), queue("b", 4));
    cluster.run("running", "a", 3);
    EngineView view = cluster.engine.view();
    AdmissionEngine before = view.whatIf();
    cluster.engine.finish(id("running"));
    cluster.run("later", "a", 4);
    cluster.run("elsewhere", "b", 4);
    AdmissionEngine after = view.whatIf();

    assertThat(admitted(view, "a")).containsExactly("running");
    for (AdmissionEngine study : List.of(before, after)) {
      assertThat(study.admission(id("running"))).isPresent();
      assertThat(study.admission(id("later"))).isEmpty();
      assertThat(study.admission(id("elsewhere"))).isEmpty();
      assertThatThrownBy(() -> study.explain(id("later")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ns/later is not known");
      assertThat(admitted(study.view(), "a")).containsExactly("running");
    }
  }

  @Test
  void theConfigurationOfAViewStaysAsWell() {
    cluster.with(queue("kept", 4), queue("removed", 4));
    EngineView view = cluster.engine.view();
    cluster.engine.remove(ClusterQueue.class, "removed");
    cluster.with(queue("added", 4), queue("kept", 1));
    AdmissionEngine study = view.whatIf();

    assertThat(view.clusterQueues())
        .extracting(ClusterQueueView::name)
        .containsExactly("kept", "removed");
    assertThat(study.view().clusterQueues())
        .extracting(ClusterQueueView::name)
        .containsExactly("kept", "removed");
    assertThat(study.tryAdmit(cluster.job("large", "kept", 4)).result().isAdmitted())
        .isTrue();
    assertThat(cluster.engine.tryAdmit(cluster.job("large", "kept", 4)).result().isAdmitted())
        .isFalse();
  }

  @Test
  void aStudyOfMoreQuotaAdmitsWhatHasBeenWaiting() {
    cluster.with(queue("a", 4).cohort("c"), queue("other", 4));
    cluster.submit("waiting", "a", 6);
    cluster.settle();
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.apply(queue("a", 6).cohort("c").build());

    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThat(DecisionText.admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.inadmissible("a")).containsExactly("waiting");
  }

  @Test
  void aStudyMayMoveAQueueUnderAnyCohortThatTheEngineHas() {
    cluster.with(queue("poor", 1), queue("rich", 8).cohort("c"));
    cluster.with(cohort("c", "top"));
    cluster.submit("waiting", "poor", 6);
    cluster.settle();
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.apply(queue("poor", 1).cohort("c").build());

    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThatThrownBy(() -> study.apply(cohort("top", "c")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("cycle");
  }

  @Test
  void aQueueNewInAStudyTakesInWhatHasBeenWaitingForIt() {
    cluster.with(LocalQueue.of("ns", "new", "new"));
    cluster.with(queue("other", 1));
    cluster.submit("waiting", "new", 2);
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.apply(queue("new", 4).build());

    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThat(DecisionText.admitted(cluster.cycle())).isEmpty();
  }

  @Test
  void whatIsInNoQueueIsKnownToAStudyAsItWas() {
    cluster.with(queue("a", 4));
    Workload early = cluster.submit("early", "nowhere", 1).job("early");
    EngineView view = cluster.engine.view();
    cluster.engine.update(Cluster.changed(early, workload -> workload.queueName("a")));
    cluster.submit("late", "nowhere", 1);
    AdmissionEngine study = view.whatIf();

    assertThat(study.explain(id("early")).cause())
        .hasValueSatisfying(cause -> assertThat(cause.toString()).isEqualTo("Misconfigured"));
    assertThat(study.delete(id("late")).removed()).isEmpty();
    assertThat(study.delete(id("early")).removed()).isNotEmpty();
    assertThat(study.delete(id("early")).removed()).isEmpty();
    assertThat(cluster.pending("a")).containsExactly("early");
  }

  /** Rule U-17a: the end of a workload outside the queues requeues the workloads of its queue. */
  @Test
  void whoIsWokenByTheEndOfAWorkloadOutsideIsNotAwakeInTheView() {
    cluster.with(queue("a", 4));
    cluster.submit(cluster.job("outside", "a", 1, workload -> workload.active(false)));
    cluster.submit("parked", "a", 6);
    cluster.settle();
    EngineView view = cluster.engine.view();

    cluster.engine.delete(id("outside"));

    assertThat(cluster.pending("a")).containsExactly("parked");
    assertThat(view.clusterQueue("a").orElseThrow().inadmissible()).containsExactly(id("parked"));
    assertThat(view.whatIf().runCycle().isEmpty()).isTrue();
  }

  /** Rule U-17a: no workload is requeued, yet the quota is released. */
  @Test
  void whatEndsBehindAStoppedLocalQueueRunsOnInTheView() {
    cluster.with(queue("a", 4));
    cluster.run("running", "a", 3);
    cluster.with(Queues.localQueue("a", StopPolicy.HOLD));
    EngineView view = cluster.engine.view();

    cluster.engine.finish(id("running"));

    assertThat(admitted(view, "a")).containsExactly("running");
    assertThat(view.clusterQueue("a").orElseThrow().usage().get(0).used()).isEqualTo(3000);
    assertThat(view.whatIf().finish(id("running")).removed()).isNotEmpty();
  }

  /** Rule U-17a: with a stopped LocalQueue quota is released, and no workload is requeued. */
  @Test
  void aStudyReleasesWhatRunsBehindAStoppedLocalQueue() {
    AdmissionEngine study = studyOfAStoppedLocalQueue();
    EngineView before = study.view();

    assertThat(study.release(id("running")).removed()).isNotEmpty();

    assertThat(usedAndParked(study.view())).isEqualTo("0 [ns/parked]");
    assertThat(study.runCycle().isEmpty()).isTrue();
    assertThat(study.release(id("running")).removed()).isEmpty();
    assertThat(usedAndParked(before)).isEqualTo("3000 [ns/parked]");
    assertThat(usedAndParked(before.whatIf().view())).isEqualTo("3000 [ns/parked]");
    assertThat(usedAndParked(cluster.engine.view())).isEqualTo("3000 [ns/parked]");
    assertThat(cluster.engine.release(id("running")).removed()).isNotEmpty();
  }

  /** Rule U-17a: as for a release; here the workload must wait until its queue is open. */
  @Test
  void aStudyStopsThePodsOfWhatRunsBehindAStoppedLocalQueue() {
    AdmissionEngine study = studyOfAStoppedLocalQueue();
    AdmissionResult unused2 = study
        .tryAdmit(
            cluster.job(
                "preemptor", "a", 4, workload -> workload.queueName("open").priority(1)),
            TryAdmitOptions.evictingVictims())
        .result();
    EngineView before = study.view();

    assertThat(EngineCalls.podsStopped(study, id("running"))).isTrue();

    assertThat(usedAndParked(study.view())).isEqualTo("0 [ns/parked]");
    assertThat(study.runCycle().isEmpty()).isTrue();
    assertThat(usedAndParked(before)).isEqualTo("3000 [ns/parked]");
    assertThat(EngineCalls.podsStopped(before.whatIf(), id("running"))).isTrue();
    assertThat(usedAndParked(cluster.engine.view())).isEqualTo("3000 [ns/parked]");
    assertThat(EngineCalls.podsStopped(cluster.engine, id("running"))).isFalse();
  }

  private AdmissionEngine studyOfAStoppedLocalQueue() {
    cluster.with(queue("a", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build()));
    cluster.with(LocalQueue.of("ns", "open", "a"));
    cluster.run("running", "a", 3);
    cluster.submit("parked", "open", 2);
    cluster.settle();
    cluster.with(Queues.localQueue("a", StopPolicy.HOLD));
    // A stop is an event, too.
    cluster.settle();
    return cluster.engine.view().whatIf();
  }

  private static String usedAndParked(EngineView view) {
    ClusterQueueView queue = view.clusterQueue("a").orElseThrow();
    return queue.usage().get(0).used() + " " + queue.inadmissible();
  }

  /** All victims have been evicted already, so only the position of the preemptor changes. */
  @Test
  void whoGoesFirstInAStudyFromNowOnDoesNotElsewhere() {
    cluster.with(queue("a", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build()));
    cluster.run("running", "a", 3);
    AdmissionResult unused3 = cluster
        .engine
        .tryAdmit(
            cluster.job("first", "a", 4, workload -> workload.priority(1)),
            TryAdmitOptions.evictingVictims())
        .result();
    Workload high =
        cluster.submit(cluster.job("high", "a", 4, job -> job.priority(1))).job("high");
    cluster.submit(cluster.job("higher", "a", 4, workload -> workload.priority(2)));
    AdmissionEngine study = cluster.engine.view().whatIf();
    EngineView before = study.view();

    AdmissionResult result =
        study.tryAdmit(high, TryAdmitOptions.evictingVictims()).result();

    assertThat(result).isInstanceOf(AdmissionResult.Preempting.class);
    assertThat(pending(study.view())).containsExactly(id("high"), id("higher"));
    for (EngineView other : List.of(before, before.whatIf().view(), cluster.engine.view())) {
      assertThat(pending(other)).containsExactly(id("higher"), id("high"));
    }
  }

  private static List<WorkloadId> pending(EngineView view) {
    return view.clusterQueue("a").orElseThrow().pending();
  }

  @Test
  void studiesMayBeStudied() {
    cluster.with(queue("a", 4));
    AdmissionEngine first = cluster.engine.view().whatIf();
    AdmissionResult unused4 = first.tryAdmit(cluster.job("in-first", "a", 1)).result();
    EngineView ofFirst = first.view();
    AdmissionResult unused5 = first.tryAdmit(cluster.job("later", "a", 1)).result();
    AdmissionEngine second = ofFirst.whatIf();
    AdmissionResult unused6 = second.tryAdmit(cluster.job("in-second", "a", 3)).result();

    assertThat(admitted(second.view(), "a")).containsExactly("in-first", "in-second");
    assertThat(admitted(first.view(), "a")).containsExactly("in-first", "later");
    assertThat(cluster.view("a").admitted()).isEmpty();
  }

  @Test
  void timeMayPassInAStudy() {
    cluster.with(queue("a", 4));
    Instant due = Cluster.START.plusSeconds(60);
    cluster.backOff(cluster.job("backing-off", "a", 1), due);
    AtomicReference<Instant> time = new AtomicReference<>(Cluster.START);
    AdmissionEngine study = cluster.engine.view().whatIf(time::get);

    assertThat(study.runCycle().isEmpty()).isTrue();
    time.set(due);

    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThat(DecisionText.admitted(cluster.cycle())).isEmpty();
  }

  @Test
  void aBackoffThatEndsInAStudyEndsInNoOther() {
    cluster.with(queue("a", 4), queue("b", 4));
    Instant due = Cluster.START.plusSeconds(60);
    cluster.backOff(cluster.job("x", "a", 1), due);
    cluster.backOff(cluster.job("y", "b", 1), due.plusSeconds(1));
    AtomicReference<Instant> time = new AtomicReference<>(Cluster.START);
    AdmissionEngine study = cluster.engine.view().whatIf(time::get);
    AdmissionEngine ofStudy = study.view().whatIf(time::get);

    time.set(due);

    for (AdmissionEngine each : List.of(study, ofStudy)) {
      assertThat(each.view().clusterQueue("a").orElseThrow().pending()).containsExactly(id("x"));
      assertThat(each.view().clusterQueue("b").orElseThrow().inadmissible())
          .containsExactly(id("y"));
      assertThat(each.nextTick()).contains(due.plusSeconds(1));
    }
    assertThat(cluster.view("a").inadmissible()).containsExactly(id("x"));
    assertThat(cluster.engine.nextTick()).contains(due);
  }

  @Test
  void namesThatOnlyAStudyKnowsAreNoNamesOfTheEngine() {
    cluster.with(queue("a", 4));
    AdmissionEngine study = cluster.engine.view().whatIf();
    study.apply(ResourceFlavor.of("only-in-study"));
    cluster.with(ResourceFlavor.of("only-in-engine"));

    assertThat(EngineCalls.remove(study, ResourceFlavor.class, "only-in-engine"))
        .isFalse();
    assertThat(EngineCalls.remove(cluster.engine, ResourceFlavor.class, "only-in-study"))
        .isFalse();
    assertThat(EngineCalls.remove(study, ResourceFlavor.class, "only-in-study")).isTrue();
    assertThat(EngineCalls.remove(cluster.engine, ResourceFlavor.class, "only-in-engine"))
        .isTrue();
  }

  @Test
  void aWorkloadThatSaysNoAgeHasTheSameInAStudy() {
    cluster.with(queue("a", 4));
    Workload older = cluster.submit("older", "a", 1).job("older");
    cluster.advance(Duration.ofHours(1));
    Workload younger = cluster
        .submit(Cluster.changed(
            cluster.job("younger", "a", 1), workload -> workload.creationTime(Optional.empty())))
        .job("younger");
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.update(Cluster.changed(older, workload -> workload.priority(1)));
    study.update(Cluster.changed(younger, workload -> workload.priority(1)));

    assertThat(study.view().clusterQueue("a").orElseThrow().pending())
        .containsExactly(id("older"), id("younger"));
  }

  @Test
  void impliedNamespacesEndWithTheirLastLocalQueueInEachEngine() {
    cluster.with(LocalQueue.of("implied", "q", "a"), LocalQueue.of("applied", "q", "a"));
    AdmissionEngine study = cluster.engine.view().whatIf();
    cluster.with(Namespace.of("applied"));

    study.remove(LocalQueue.class, "implied/q");
    assertThat(EngineCalls.remove(study, Namespace.class, "implied")).isFalse();
    assertThat(EngineCalls.remove(cluster.engine, Namespace.class, "implied")).isTrue();

    study.remove(LocalQueue.class, "applied/q");
    assertThat(EngineCalls.remove(study, Namespace.class, "applied")).isFalse();
    cluster.engine.remove(LocalQueue.class, "applied/q");
    assertThat(EngineCalls.remove(cluster.engine, Namespace.class, "applied")).isTrue();
  }

  @Test
  void aPictureIsTakenOnce() {
    cluster.with(queue("a", 4), queue("b", 4));
    EngineView view = cluster.engine.view();

    ClusterQueueView picture = view.clusterQueue("a").orElseThrow();

    assertThat(view.clusterQueue("a")).containsSame(picture);
    assertThat(view.clusterQueues()).first().isSameAs(picture);
    assertThat(cluster.engine.view().clusterQueue("a")).containsSame(picture);
    assertThat(view.clusterQueue("c")).isEmpty();
    assertThat(view).hasToString("[" + picture + ", " + view.clusterQueue("b").orElseThrow() + "]");
  }

  @Test
  void printsHowMuchAStudyKnows() {
    cluster.with(queue("a", 4), queue("b", 4));
    cluster.run("running", "a", 1);
    AdmissionEngine study = cluster.engine.view().whatIf();
    study.delete(id("running"));

    assertThat(study).hasToString("AdmissionEngine [clusterQueues 2, workloads 0]");
    assertThat(cluster.engine).hasToString("AdmissionEngine [clusterQueues 2, workloads 1]");
  }
}
