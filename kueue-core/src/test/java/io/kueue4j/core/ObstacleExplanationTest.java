package io.kueue4j.core;

import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reasons found before any quota is compared; rule L-26 and the reasons of U-1. */
class ObstacleExplanationTest {
  private final Cluster cluster = new Cluster().with(queue("a", 10));
  private final AdmissionEngine engine = cluster.engine;

  private Explanation explain(String name) {
    return engine.explain(id(name));
  }

  static Stream<Arguments> obstacles() {
    return Stream.of(
        obstacle(w -> w.active(false), PendingCause.DEACTIVATED, ReasonCode.DEACTIVATED),
        obstacle(
            w -> w.addAllAdmissionGates(ImmutableList.of("quota-review")),
            PendingCause.ADMISSION_GATED,
            ReasonCode.ADMISSION_GATED),
        obstacle(
            w -> w.queueName("nowhere"),
            PendingCause.MISCONFIGURED,
            ReasonCode.LOCAL_QUEUE_NOT_FOUND),
        obstacle(
            w -> w.namespace("elsewhere"),
            PendingCause.MISCONFIGURED,
            ReasonCode.LOCAL_QUEUE_NOT_FOUND),
        obstacle(
            w -> w.queueName("dangling"),
            PendingCause.MISCONFIGURED,
            ReasonCode.CLUSTER_QUEUE_NOT_FOUND),
        obstacle(
            w -> w.queueName("stopped"), PendingCause.SUSPENDED, ReasonCode.LOCAL_QUEUE_STOPPED));
  }

  private static Arguments obstacle(
      UnaryOperator<Workload.Builder> change, PendingCause cause, ReasonCode code) {
    return Arguments.of(change, cause, code);
  }

  @ParameterizedTest
  @MethodSource("obstacles")
  void whatKeepsAWorkloadOutOfTheQueueIsNamed(
      UnaryOperator<Workload.Builder> change, PendingCause cause, ReasonCode code) {
    cluster.with(
        LocalQueue.of(NAMESPACE, "dangling", "missing"), localQueue("stopped", StopPolicy.HOLD));
    Workload held =
        change.apply(Workload.builder().from(cluster.job("w", "a", 1))).build();
    AdmissionResult submitted = engine.submit(held).result();
    Explanation explanation = engine.explain(held.id());

    assertThat(explanation.cause()).contains(cause);
    assertThat(DecisionText.codes(explanation.reasons())).containsExactly(code);
    assertThat(explanation.isNextToTry()).isFalse();
    assertThat(explanation.positionInClusterQueue()).isEmpty();
    assertThat(explanation.positionInLocalQueue()).isEmpty();
    assertThat(submitted)
        .isEqualTo(new AdmissionResult.Pending(held.id(), cause, explanation.reasons()));
    assertThat(admitted(cluster.cycle())).isEmpty();
  }

  static Stream<Arguments> causesOfAnInactiveQueue() {
    return Stream.of(
        Arguments.of(
            (UnaryOperator<ClusterQueue.Builder>) q -> q.stopPolicy(StopPolicy.HOLD), "Stopped"),
        Arguments.of(
            (UnaryOperator<ClusterQueue.Builder>) q -> q.addAllAdmissionChecks(
                ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of()))),
            "AdmissionCheckNotFound"));
  }

  @ParameterizedTest
  @MethodSource("causesOfAnInactiveQueue")
  void aQueueThatTakesNoPartIsNamedWithTheCause(
      UnaryOperator<ClusterQueue.Builder> change, String cause) {
    cluster.with(change.apply(queue("a", 10)).build());
    cluster.submit("w", "a", 1);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(explain("w").cause()).contains(PendingCause.SUSPENDED);
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.CLUSTER_QUEUE_INACTIVE);
    assertThat(explain("w").reasons().get(0).message()).startsWith(cause);
    assertThat(explain("w").isNextToTry()).isFalse();
    assertThat(explain("w").isActive()).isFalse();
  }

  @Test
  void aStoppedQueueIsNamedAlsoToAWorkloadThatWasTriedBefore() {
    cluster.submit("w", "a", 11);
    cluster.cycle();
    cluster.with(queue("a", 10).stopPolicy(StopPolicy.HOLD).build());
    assertThat(explain("w").cause()).contains(PendingCause.SUSPENDED);
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.CLUSTER_QUEUE_INACTIVE);
  }

  @Test
  void aNamespaceThatTheQueueDoesNotTakeIsNamed() {
    cluster.with(queue("a", 10)
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    cluster.submit("w", "a", 1);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(explain("w").cause()).contains(PendingCause.MISCONFIGURED);
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NAMESPACE_MISMATCH);
  }

  @Test
  void aQueueWithoutNamespaceSelectorAcceptsNoWorkload() {
    cluster.with(queue("a", 10).namespaceSelector(Optional.empty()).build());
    cluster.submit("w", "a", 1);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NAMESPACE_MISMATCH);
    assertThat(cluster.inadmissible("a")).containsExactly("w");
  }

  @Test
  void aNamespaceThatWasRemovedIsNamed() {
    cluster.submit("w", "a", 1);
    engine.remove(Namespace.class, NAMESPACE);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(explain("w").cause()).contains(PendingCause.MISCONFIGURED);
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NAMESPACE_NOT_FOUND);
  }

  @Test
  void podsThatCouldNotBeCreatedAreInadmissible() {
    cluster.submit(cluster.job(
        "w", "a", 1, w -> w.addAllAdmissibilityProblems(ImmutableList.of("request above limit"))));
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(explain("w").cause()).contains(PendingCause.MISCONFIGURED);
    assertThat(explain("w").reasons())
        .containsExactly(Reason.of(ReasonCode.INADMISSIBLE_PODS, "request above limit"));
  }

  @Test
  void aBackoffIsNamedWithItsEnd() {
    cluster.backOff(cluster.job("w", "a", 1), Cluster.START.plus(Duration.ofMinutes(5)));
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.BACKOFF);
    assertThat(explain("w").reasons().get(0).message()).contains("2026-01-01T00:05:00Z");
    assertThat(explain("w").isNextToTry()).isFalse();
  }
}
