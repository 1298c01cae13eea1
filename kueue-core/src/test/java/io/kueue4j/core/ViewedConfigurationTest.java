package io.kueue4j.core;

import static io.kueue4j.core.Queues.cohort;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration objects that a view lists. */
class ViewedConfigurationTest {
  private static final AdmissionCheck CHECK = AdmissionCheck.of("check", "example.com/check");
  private static final Node NODE =
      Node.builder().name("node").allocatableAmount("cpu", 1000).build();

  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  private static ClusterQueue clusterQueue(String name) {
    return queue(name, 4).cohort("team").build();
  }

  private void applyOneOfEachKind() {
    engine.apply(
        Namespace.of("z", Map.of("team", "x")),
        LocalQueue.of("implied", "b", "a"),
        LocalQueue.of("implied", "a", "a"),
        new WorkloadPriorityClass("high", 10),
        CHECK,
        NODE,
        TpuPoolSet.of("pools", TpuSlices.pod("pod", "4x4")),
        Topology.of("rack", Topology.HOSTNAME),
        cohort("team", "org"),
        clusterQueue("b"),
        clusterQueue("a"));
  }

  @Test
  void listsEachKindByName() {
    applyOneOfEachKind();

    EngineView view = engine.view();

    assertThat(view.configuration(ResourceFlavor.class))
        .containsExactly(ResourceFlavor.of(Cluster.FLAVOR));
    assertThat(view.configuration(ClusterQueue.class))
        .containsExactly(clusterQueue("a"), clusterQueue("b"));
    assertThat(view.configuration(LocalQueue.class))
        .containsExactly(LocalQueue.of("implied", "a", "a"), LocalQueue.of("implied", "b", "a"));
    assertThat(view.configuration(Cohort.class)).containsExactly(cohort("team", "org"));
    assertThat(view.configuration(Topology.class))
        .containsExactly(Topology.of("rack", Topology.HOSTNAME));
    assertThat(view.configuration(TpuPoolSet.class))
        .containsExactly(TpuPoolSet.of("pools", TpuSlices.pod("pod", "4x4")));
    assertThat(view.configuration(Node.class)).containsExactly(NODE);
    assertThat(view.configuration(AdmissionCheck.class)).containsExactly(CHECK);
    assertThat(view.configuration(WorkloadPriorityClass.class))
        .containsExactly(new WorkloadPriorityClass("high", 10));
    assertThat(view.configuration(Namespace.class))
        .containsExactly(Namespace.of("implied"), Namespace.of("z", Map.of("team", "x")));
  }

  @Test
  void whatIsListedMakesTheSameConfigurationInAnotherEngine() {
    applyOneOfEachKind();
    AdmissionEngine other = AdmissionEngine.create();

    other.apply(engine.view().configuration());

    assertThat(other.view().configuration())
        .isEqualTo(engine.view().configuration())
        .hasSize(13);
  }

  @Test
  void findsOneObjectByItsQualifiedName() {
    applyOneOfEachKind();
    EngineView view = engine.view();

    for (ConfigObject object : view.configuration()) {
      assertThat(view.configuration(object.getClass(), object.qualifiedName()).orElseThrow())
          .isEqualTo(object);
    }
    assertThat(view.configuration(LocalQueue.class, "implied/a"))
        .contains(LocalQueue.of("implied", "a", "a"));
    assertThat(view.configuration(LocalQueue.class, "a")).isEmpty();
    // Named by another cohort, and never applied.
    assertThat(view.configuration(Cohort.class, "org")).isEmpty();
  }

  @Test
  void showsWhatWasThereWhenTheViewWasTaken() {
    applyOneOfEachKind();
    EngineView before = engine.view();

    engine.apply(cohort("team", "other"), ResourceFlavor.of("new"), clusterQueue("c"));

    assertThat(before.configuration()).hasSize(13);
    assertThat(before.configuration(Cohort.class, "team")).contains(cohort("team", "org"));
    assertThat(engine.view().configuration()).hasSize(15);
    assertThat(engine.view().configuration(Cohort.class, "team")).contains(cohort("team", "other"));
    assertThat(before.whatIf().view().configuration()).isEqualTo(before.configuration());
  }

  @Test
  void refusesWhatIsNoKind() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.view().configuration(ConfigObject.class))
        .withMessageContaining("ClusterQueue.class");
  }
}
