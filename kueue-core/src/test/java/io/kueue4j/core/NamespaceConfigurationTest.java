package io.kueue4j.core;

import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Namespaces: which queues accept them, and when an implied one is removed. */
class NamespaceConfigurationTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  @Test
  void aNamespaceIsMatchedByItsLabelsAndByItsName() {
    cluster.with(queue("a", 10)
        .namespaceSelector(LabelSelector.labels(Map.of(Namespace.NAME_LABEL, NAMESPACE))));
    cluster.run("named", "a", 1);
    cluster.with(queue("a", 10)
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    assertThat(engine.tryAdmit(cluster.job("w", "a", 1)).result().isAdmitted()).isFalse();
    cluster.with(Namespace.of(NAMESPACE, Map.of("team", "x")));
    cluster.run("labelled", "a", 1);
  }

  @Test
  void aRemovedNamespaceAdmitsNothingUntilItReturns() {
    cluster.with(queue("a", 10));
    cluster.submit("w", "a", 1);
    assertThat(EngineCalls.remove(engine, Namespace.class, NAMESPACE)).isTrue();
    assertThat(cluster.settle()).isEmpty();
    cluster.with(Namespace.of(NAMESPACE));
    assertThat(cluster.settle()).containsExactly("w");
  }

  @Test
  void whatHappenedBeforeANamespaceIsRemovedStillCounts() {
    cluster.with(queue("a", 10));
    cluster.run("running", "a", 10);
    cluster.submit("w", "a", 1);
    cluster.cycle();
    assertThat(cluster.inadmissible("a")).containsExactly("w");

    engine.finish(id("running"));
    engine.remove(Namespace.class, NAMESPACE);

    assertThat(cluster.pending("a")).containsExactly("w");
  }

  @Test
  void anImpliedNamespaceIsRemovedWithItsLastLocalQueue() {
    cluster.with(queue("a", 10), queue("b", 10));
    engine.remove(LocalQueue.class, NAMESPACE + "/a");
    cluster.run("w", "b", 1);

    engine.remove(LocalQueue.class, NAMESPACE + "/b");

    assertThat(EngineCalls.remove(engine, Namespace.class, NAMESPACE)).isFalse();
    cluster.with(localQueue("a"));
    cluster.run("v", "a", 1);
  }

  @Test
  void aNamespaceThatWasAppliedStaysWithoutLocalQueues() {
    cluster.with(queue("a", 10)).with(Namespace.of(NAMESPACE, Map.of("team", "x")));

    engine.remove(LocalQueue.class, NAMESPACE + "/a");

    assertThat(EngineCalls.remove(engine, Namespace.class, NAMESPACE)).isTrue();
  }

  @Test
  void anAppliedNamespaceWithoutLocalQueuesGivesWayToNone() {
    cluster.with(Namespace.of(NAMESPACE, Map.of("team", "x")));
    cluster.with(queue("a", 10).namespaceSelector(LabelSelector.labels(Map.of("team", "x"))));

    engine.remove(LocalQueue.class, NAMESPACE + "/a");
    cluster.with(localQueue("a"));

    cluster.run("w", "a", 1);
  }

  @Test
  void aRemovedNamespaceReturnsWithALocalQueueInIt() {
    cluster.with(queue("a", 10));
    cluster.submit("w", "a", 1);
    engine.remove(Namespace.class, NAMESPACE);
    assertThat(cluster.settle()).isEmpty();
    cluster.with(localQueue("a"));
    assertThat(cluster.settle()).containsExactly("w");
  }

  @Test
  void anImpliedNamespaceGoesWithItsLastLocalQueue() {
    engine.apply(LocalQueue.of("x", "a", "q"), LocalQueue.of("x", "b", "q"));
    engine.remove(LocalQueue.class, "x/a");
    engine.apply(LocalQueue.of("x", "b", "other"));
    assertThat(EngineCalls.remove(engine, Namespace.class, "x")).isTrue();

    engine.apply(LocalQueue.of("y", "a", "q"));
    engine.apply(LocalQueue.of("y", "a", "other"));
    engine.remove(LocalQueue.class, "y/a");
    assertThat(EngineCalls.remove(engine, Namespace.class, "y")).isFalse();
  }
}
