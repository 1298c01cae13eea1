package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.cohort;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Removing configuration; rules M-4 and M-15. */
class ConfigurationRemovalTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  @Test
  void aRemovedCohortLosesItsQuotaAndItsParentButNotItsMembers() {
    cluster.with(queue("a", 1).cohort("team"), queue("b", 2).cohort("team"));
    cluster.with(queue("c", 4).cohort("root"));
    cluster.with(Cohort.builder()
        .name("team")
        .parent("root")
        .addResourceGroups(Queues.group(Queues.cores(8)))
        .build());
    assertThat(cluster.available("a")).isEqualTo(15);
    assertThat(EngineCalls.remove(engine, Cohort.class, "team")).isTrue();
    assertThat(cluster.available("a")).isEqualTo(3);
    assertThat(cluster.available("c")).isEqualTo(4);
    assertThat(EngineCalls.remove(engine, Cohort.class, "team")).isFalse();
  }

  @Test
  void aQueueWhoseQuotaIsHeldCannotBeRemoved() {
    cluster.with(queue("a", 10));
    cluster.run("w", "a", 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.remove(ClusterQueue.class, "a"))
        .withMessageContaining("ClusterQueue a");
    assertThat(cluster.used("a")).isEqualTo(1);
    engine.finish(id("w"));
    assertThat(EngineCalls.remove(engine, ClusterQueue.class, "a")).isTrue();
    assertThat(EngineCalls.remove(engine, ClusterQueue.class, "a")).isFalse();
  }

  @Test
  void aRemovedQueueTakesItsQuotaOutOfTheCohort() {
    cluster.with(queue("a", 4).cohort("team"), queue("b", 6).cohort("team"));
    engine.remove(ClusterQueue.class, "b");
    assertThat(cluster.available("a")).isEqualTo(4);
  }

  @Test
  void whatRunsFromARemovedLocalQueueIsDrained() {
    cluster.with(queue("a", 10));
    cluster.run("w", "a", 1);
    assertThat(EngineCalls.remove(engine, LocalQueue.class, "ns/a")).isTrue();

    cluster.stopQueue("a", StopPolicy.HOLD_AND_DRAIN);

    assertThat(cluster.view("a").stopping()).containsExactly(id("w"));
  }

  @Test
  void aQueueWhosePoolSetIsRemovedAdmitsNothing() {
    Cluster slices = TpuSlices.cluster("4x4", 64);
    assertThat(slices.view("queue").isActive()).isTrue();

    assertThat(EngineCalls.remove(slices.engine, TpuPoolSet.class, "v6e")).isTrue();

    assertThat(slices.view("queue").isActive()).isFalse();

    slices.with(TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x4")));

    assertThat(slices.submit(TpuSlices.job("w", "4x4", 1)).settle()).containsExactly("w");
  }

  @Test
  void pendingWorkloadsOfARemovedQueueWaitUntilItReturns() {
    cluster.with(queue("a", 10));
    cluster.submit("w", "a", 1);
    engine.remove(ClusterQueue.class, "a");
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.CLUSTER_QUEUE_NOT_FOUND);
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.with(queue("a", 10).build());
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void pendingWorkloadsOfARemovedLocalQueueWaitUntilItReturns() {
    cluster.with(queue("a", 10));
    cluster.submit("w", "a", 1);
    assertThat(EngineCalls.remove(engine, LocalQueue.class, NAMESPACE + "/a")).isTrue();
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.LOCAL_QUEUE_NOT_FOUND);
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.with(localQueue("a"));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aFlavorThatAQueueNamesCannotBeRemoved() {
    cluster.with(queue("a", 10));
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.remove(ResourceFlavor.class, FLAVOR))
        .withMessageContaining("ClusterQueue a");
    cluster.with(openQueue("a").build());
    assertThat(EngineCalls.remove(engine, ResourceFlavor.class, FLAVOR)).isTrue();
    assertThat(EngineCalls.remove(engine, ResourceFlavor.class, FLAVOR)).isFalse();
  }

  @Test
  void removingWhatIsNotThereSaysSo() {
    assertThat(EngineCalls.remove(engine, ClusterQueue.class, "x")).isFalse();
    assertThat(EngineCalls.remove(engine, Cohort.class, "x")).isFalse();
    assertThat(EngineCalls.remove(engine, LocalQueue.class, "x/x")).isFalse();
    assertThat(EngineCalls.remove(engine, ResourceFlavor.class, "x")).isFalse();
    assertThat(EngineCalls.remove(engine, Namespace.class, "x")).isFalse();
    assertThat(EngineCalls.remove(engine, WorkloadPriorityClass.class, "x")).isFalse();
  }

  @Test
  void aCohortThatIsOnlyNamedWasNeverThere() {
    cluster.with(queue("a", 4).cohort("team"));
    assertThat(EngineCalls.remove(engine, Cohort.class, "team")).isFalse();
    assertThat(cluster.available("a")).isEqualTo(4);
  }

  @Test
  void objectsThatNeedEachOtherGoTogether() {
    ClusterQueue queue = queue("a", 4).build();
    cluster.with(queue, localQueue("a"));
    cluster.submit("w", "a", 1);

    engine.remove(ResourceFlavor.of(FLAVOR), queue, ResourceFlavor.of("unknown"), localQueue("a"));

    assertThat(engine.view().configuration()).isEmpty();
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.LOCAL_QUEUE_NOT_FOUND);
    cluster.with(ResourceFlavor.of(FLAVOR), queue, localQueue("a"));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void allObjectsAreRemovedOrNone() {
    cluster.with(queue("a", 4).cohort("team"), queue("b", 4).cohort("team"));
    cluster.with(cohort("team", "org"), ResourceFlavor.of("unused"));
    cluster.run("w", "b", 1);
    List<ConfigObject> before = engine.view().configuration();

    assertThatIllegalStateException()
        .isThrownBy(() -> engine.remove(
            cohort("team", "org"),
            localQueue("a"),
            queue("a", 4).build(),
            ResourceFlavor.of("unused"),
            queue("b", 4).build()))
        .withMessageContaining("ClusterQueue b");

    assertThat(engine.view().configuration()).isEqualTo(before);
    assertThat(cluster.available("a")).isEqualTo(7);
  }

  @Test
  void aRemovalSaysWhatNameItExpects() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.remove(LocalQueue.class, "a"))
        .withMessageContaining("namespace/name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.remove(ConfigObject.class, "a"))
        .withMessageContaining("ClusterQueue.class");
  }
}
