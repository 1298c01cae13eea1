package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.UsageBasedQueues.usageBased;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.EvictionReason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Each kind of part that a view, a study and an engine share is copied before it changes. */
class ForkTest {
  private static QueueState queue(EngineCore core, String name) {
    return core.state().queue(name).orElseThrow();
  }

  private static long generation(AdmissionEngine engine, String queue) {
    AtomicLong generation = new AtomicLong();
    engine.inside(core -> {
      generation.set(queue(core, queue).quota().generation());
      return core;
    });
    return generation.get();
  }

  @Test
  void tpuPoolsAreCopied() {
    Cluster cluster = TpuSlices.cluster("4x4", 16);
    EngineView view = cluster.engine.view();
    AdmissionEngine study = view.whatIf();

    assertThat(study.tryAdmit(TpuSlices.job("in-study", "4x4", 1)).result().isAdmitted())
        .isTrue();
    assertThat(cluster
            .engine
            .tryAdmit(TpuSlices.job("in-engine", "4x4", 1))
            .result()
            .isAdmitted())
        .isTrue();
    assertThat(study.tryAdmit(TpuSlices.job("more", "2x4", 1)).result().isAdmitted())
        .isFalse();
    assertThat(view.whatIf().tryAdmit(TpuSlices.job("later", "4x4", 1)).result().isAdmitted())
        .isTrue();
    study.finish(id("in-study"));
    assertThat(cluster.engine.tryAdmit(TpuSlices.job("more", "2x4", 1)).result().isAdmitted())
        .isFalse();
  }

  @Test
  void theUsageOfLocalQueuesIsCopied() {
    Cluster cluster = UsageBasedQueues.cluster(UsageBasedQueues.SHARING);
    UsageBasedQueues.open(cluster, usageBased("cq", 4));
    EngineView view = cluster.engine.view();
    AdmissionEngine study = view.whatIf();
    UsageBasedQueues.restore(cluster, "a", "3");

    assertThat(UsageBasedQueues.usage(cluster, "a")).isPositive();
    assertThat(view.localQueue(Cluster.NAMESPACE, "a").orElseThrow().fairSharingUsage())
        .hasValue(0);
    study.restoreConsumedUsage(
        Cluster.NAMESPACE, "b", UsageBasedQueues.consumed("1", Cluster.START));
    assertThat(UsageBasedQueues.usage(cluster, "b")).isZero();
    assertThat(study.view().localQueue(Cluster.NAMESPACE, "a").orElseThrow().fairSharingUsage())
        .hasValue(0);
  }

  @Test
  void lifecyclesAndHeadsAreThoseOfTheirTime() {
    Cluster cluster = new Cluster().with(Queues.queue("q", 4));
    cluster.run("running", "q", 4);
    cluster.submit("waiting", "q", 4);
    AdmissionEngine study = cluster.engine.view().whatIf();

    cluster.engine.lifecycle().evict(id("running"), EvictionReason.NODE_FAILURES, "test");
    cluster.engine.podsStopped(id("running"));
    cluster.engine.finish(id("waiting"));

    assertThat(study.admission(id("running"))).isPresent();
    assertThat(study.lifecycle().status(id("running")))
        .isNotEqualTo(cluster.engine.lifecycle().status(id("running")));
    study.finish(id("running"));
    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThat(study.admission(id("waiting"))).isPresent();
  }

  /** {@return a full cluster with a promise at 100 s, where only that promise has a deadline} */
  private static Cluster promisedAt100() {
    Cluster cluster = PromiseTest.cluster(Backfill.ofDepth(2)).with(Queues.queue("q", 4));
    cluster.run(cluster.job(
        "first", "q", 4, workload -> workload.expectedDuration(Duration.ofSeconds(100))));
    cluster.submit(PromiseTest.job(cluster, "big", "q", 4, 50)).settle();
    assertThat(PromiseTest.promises(cluster)).containsExactly("big at 100");
    return cluster;
  }

  @Test
  void deadlinesOfPromisesAreCopied() {
    Cluster cluster = promisedAt100();

    assertThat(cluster.engine.nextTick()).contains(Cluster.START.plusSeconds(100));
    assertThat(cluster.engine.view().whatIf().nextTick()).isEqualTo(cluster.engine.nextTick());
  }

  /** No cycle tries the second workload, which is equal to the first one. */
  @Test
  void queuesWithPromisesStillToBeMadeAreCopied() {
    Cluster cluster = promisedAt100();
    cluster.submit(PromiseTest.job(cluster, "equal", "q", 4, 50));
    AdmissionEngine study = cluster.engine.view().whatIf();

    study.runUntilStable(10);

    assertThat(study.promises())
        .map(PromiseTest::text)
        .containsExactly("big at 100", "equal at 150");
  }

  @Test
  void generationsAreCopiedAndRestored() {
    Cluster cluster = new Cluster().with(Queues.queue("q", 4));
    cluster.run("running", "q", 4);
    AdmissionEngine study = cluster.engine.view().whatIf();
    long before = generation(cluster.engine, "q");

    assertThatThrownBy(() -> cluster.engine.inside(core -> {
          QueueQuota quota = core.state().queueStore().ownQuota(queue(core, "q"));
          quota.advanceGeneration();
          quota.advanceGeneration();
          throw new IllegalStateException("fails");
        }))
        .hasMessage("fails");
    assertThat(generation(cluster.engine, "q")).isEqualTo(before);

    cluster.engine.finish(id("running"));
    assertThat(generation(cluster.engine, "q")).isGreaterThan(before);
    assertThat(generation(study, "q")).isEqualTo(before);
  }

  @Test
  void aSharedPartRefusesToChange() {
    Cluster cluster = new Cluster().with(Queues.queue("q", 4));
    EngineView view = cluster.engine.view();

    cluster.engine.inside(core -> {
      QueueQuota shared = queue(core, "q").quota();
      assertThat(shared.isShared()).isTrue();
      assertThatThrownBy(shared::advanceGeneration)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a part that forks share was about to change");
      assertThat(core.state().queueStore().ownQuota(queue(core, "q"))).isNotSameAs(shared);
      return core;
    });
    assertThat(view.clusterQueue("q")).isPresent();
  }
}
