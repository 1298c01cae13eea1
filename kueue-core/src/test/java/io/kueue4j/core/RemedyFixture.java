package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;

/** A cluster with a queue of ten cores, the remedies for a workload in it, and their effect. */
abstract class RemedyFixture {
  final Cluster cluster = new Cluster().with(queue("a", 10));
  final AdmissionEngine engine = cluster.engine;

  List<Remedy> changes(String name) {
    return engine.explain(id(name)).remedies();
  }

  List<Remedy.Kind> kinds(String name) {
    return changes(name).stream().map(Remedy::kind).toList();
  }

  /**
   * Applies the smallest remedy to the engine itself.
   *
   * @return the remedy
   */
  @CanIgnoreReturnValue
  Remedy make(String name) {
    Remedy remedy = engine.explain(id(name)).remedy().orElseThrow();
    assertThat(changes(name)).startsWith(remedy);
    assertThat(cluster.workload(name).holdsQuota()).isFalse();
    engine.apply(remedy);
    cluster.settle();
    assertThat(cluster.workload(name).holdsQuota()).as(remedy.message()).isTrue();
    return remedy;
  }

  static ResourceQuota cpu(int cores) {
    return ResourceQuota.ofAmount("cpu", cores * 1000L);
  }

  static Raise raise(String owner, int from, int to) {
    return new Raise(owner, FLAVOR, "cpu", from * 1000L, to * 1000L);
  }
}
