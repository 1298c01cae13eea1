package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.internal.lifecycle.CheckList;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Assertion mode notices a state that is not consistent, and says what is wrong. */
class AssertionModeTest {
  private static final WorkloadId RUNNING = WorkloadId.of("default", "running");

  private final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(() -> Instant.EPOCH)
      .assertions(AssertionMode.FULL)
      .build();

  @BeforeEach
  void configure() {
    engine.apply(
        ResourceFlavor.of("default"),
        ClusterQueue.builder()
            .name("q")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "2"))))
            .build(),
        LocalQueue.of("default", "lq", "q"));
    engine.submit(workload("running"));
    engine.runCycle();
    engine.submit(workload("waiting"));
  }

  private static Workload workload(String name) {
    return Workload.builder()
        .namespace("default")
        .name(name)
        .queueName("lq")
        .addPodSets(PodSet.builder().name("main").count(1).request("cpu", "2").build())
        .build();
  }

  private static QueueState queue(EngineCore core) {
    return core.state().queue("q").orElseThrow();
  }

  /** Changes the state as a call with a defect would, and something else in the right way. */
  private void call(Consumer<EngineCore> defect) {
    engine.inside(core -> {
      core.state().books().setBlocked(null);
      defect.accept(core);
      return core;
    });
  }

  @Test
  void anUndamagedEnginePasses() {
    assertThatCode(() -> call(core -> {})).doesNotThrowAnyException();
  }

  @Test
  void usageThatNoHolderExplainsIsNoticed() {
    assertThatThrownBy(() ->
            call(core -> core.state().queueStore().ownQuota(queue(core)).tree().add(0, 0, 1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("assertion mode: the state is inconsistent")
        .hasMessageContaining("please report")
        .hasMessageContaining("ClusterQueue q is 2001; its holders use 2000");
  }

  @Test
  void aWorkloadThatItsQueueLostIsNoticed() {
    assertThatThrownBy(() -> call(core -> queue(core)
            .setPending(
                new PendingQueue(core.state().settings(), null, core.state().journal()))))
        .hasMessageContaining("workload default/waiting");
  }

  @Test
  void aQueueThatDoesNotFollowItsConfigurationIsNoticed() {
    assertThatThrownBy(() -> call(core -> core.state().queueStore().setActive(queue(core), false)))
        .hasMessageContaining("whether ClusterQueue q is active is false instead of true");
  }

  @Test
  void aWorkloadThatDoesNotFollowItsConfigurationIsNoticed() {
    assertThatThrownBy(() -> call(core -> {
          WorkloadRecord record = core.state().require(WorkloadId.of("default", "waiting"));
          core.state().pending().unqueue(record);
          core.state()
              .books()
              .set(
                  record,
                  record
                      .lifecycle()
                      .withChecks(
                          CheckList.NONE.synchronise(ImmutableSet.of("check"), Instant.EPOCH)));
        }))
        .hasMessageContaining(
            "the ClusterQueue that workload default/waiting waits in is Optional.empty instead of"
                + " Optional[q]")
        .hasMessageContaining(
            "the admission checks of workload default/waiting are [check] instead of []");
  }

  /** Changes a shared part, without a copy and without a record. */
  private static void setAside(EngineCore core) {
    QueueQuota quota = queue(core).quota();
    quota.setAside(quota.holders().get(0), true);
  }

  @Test
  void aChangeThatIsNotTakenBackIsNoticed() {
    assertThatThrownBy(() -> call(core -> {
          setAside(core);
          throw new IllegalStateException("fails");
        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("assertion mode: a call that failed changed the state")
        .hasMessageContaining("aside")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aChangeOfWhatForksShareIsNoticed() {
    assertThatThrownBy(() -> call(AssertionModeTest::setAside))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("assertion mode: a fork made before the call sees the change")
        .hasMessageContaining("aside");
  }

  @Test
  void studiesCheckThemselvesToo() {
    AdmissionEngine study = engine.view().whatIf();

    assertThatThrownBy(() -> study.inside(core -> {
          core.state().books().setBlocked(null);
          core.state().queueStore().ownQuota(queue(core)).tree().add(0, 0, 1);
          return core;
        }))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> engine.finish(RUNNING)).doesNotThrowAnyException();
  }
}
