package io.kueue4j.core;

import static io.kueue4j.core.UsageBasedQueues.SHARING;
import static io.kueue4j.core.UsageBasedQueues.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The usage of a LocalQueue counts from the admission in Kueue 0.19, and from the reservation of
 * quota in 0.20; rule W-5.
 */
class UsageAnchorVersionTest {
  private static final double PENALTY_OF_FOUR = 1.171572875;

  private static boolean isAnchoredAtReservation(KueueVersion version) {
    return version == KueueVersion.V0_20;
  }

  /** {@return a cluster in which a job of four cores holds quota and waits for a check} */
  private static Cluster waiting(KueueVersion version, ClusterQueue.Builder queue) {
    Cluster cluster = new Cluster(
        Settings.builder().kueueVersion(version).admissionFairSharing(SHARING).build());
    cluster.with(AdmissionCheck.of("budget", "test"));
    UsageBasedQueues.open(cluster, checked(queue));
    cluster.submit("a1", "a", 4);
    assertThat(cluster.engine.runCycle().reserved()).hasSize(1);
    return cluster;
  }

  private static ClusterQueue.Builder checked(ClusterQueue.Builder queue) {
    return queue.addAllAdmissionChecks(
        ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())));
  }

  private static Cluster waiting(KueueVersion version) {
    return waiting(version, UsageBasedQueues.usageBased("cq", 8));
  }

  private static double consumed(Cluster cluster) {
    return view(cluster, "a").consumed().orElseThrow().resources().values().stream()
        .mapToDouble(Number::doubleValue)
        .sum();
  }

  private static double pending(Cluster cluster) {
    return view(cluster, "a").pendingPenalty().values().stream()
        .mapToDouble(Number::doubleValue)
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void aPenaltyIsSettledAtTheAnchor(KueueVersion version) {
    Cluster cluster = waiting(version);
    double settled = isAnchoredAtReservation(version) ? PENALTY_OF_FOUR : 0;
    assertThat(consumed(cluster)).isEqualTo(settled);
    assertThat(pending(cluster)).isEqualTo(PENALTY_OF_FOUR - settled);
    cluster.workload("a1").check("budget", CheckState.READY);
    assertThat(consumed(cluster)).as("settled once").isEqualTo(PENALTY_OF_FOUR);
    assertThat(pending(cluster)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void usageIsSampledFromTheAnchorOn(KueueVersion version) {
    Cluster cluster = waiting(version);
    cluster.advance(Duration.ofHours(10));
    assertThat(consumed(cluster)).isCloseTo(isAnchoredAtReservation(version) ? 4 : 0, within(1e-6));
    cluster.workload("a1").check("budget", CheckState.READY);
    cluster.advance(Duration.ofHours(10));
    assertThat(consumed(cluster)).isCloseTo(4, within(1e-6));
  }

  @ParameterizedTest
  @EnumSource
  void aReservationThatIsLostStaysInTheHistory(KueueVersion version) {
    Cluster cluster = waiting(version);
    cluster.workload("a1").check("budget", CheckState.RETRY);
    cluster.engine.podsStopped(Cluster.id("a1"));
    double settled = isAnchoredAtReservation(version) ? PENALTY_OF_FOUR : 0;
    assertThat(consumed(cluster)).isEqualTo(settled);
    assertThat(cluster.engine.runCycle().reserved()).hasSize(1);
    assertThat(consumed(cluster)).as("each reservation settles one").isEqualTo(2 * settled);
    assertThat(pending(cluster)).isEqualTo(PENALTY_OF_FOUR - settled);
  }

  @ParameterizedTest
  @EnumSource
  void deletedBeforeTheAnchorItCostsNothing(KueueVersion version) {
    Cluster cluster = waiting(version);
    cluster.engine.delete(Cluster.id("a1"));
    assertThat(pending(cluster)).isZero();
    assertThat(consumed(cluster)).isEqualTo(isAnchoredAtReservation(version) ? PENALTY_OF_FOUR : 0);
  }

  @ParameterizedTest
  @EnumSource
  void deactivatedBeforeTheAnchorItCostsNothing(KueueVersion version) {
    Cluster cluster = waiting(version);
    cluster.lifecycle.setActive(Cluster.id("a1"), false);
    assertThat(pending(cluster)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void otherQueuesCountAdmittedUsage(KueueVersion version) {
    Cluster cluster = waiting(version, Queues.queue("cq", 8));
    cluster.advance(Duration.ofHours(10));
    assertThat(consumed(cluster)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theModeOfAQueueMovesTheAnchorOfItsHolders(KueueVersion version) {
    Cluster cluster = waiting(version, Queues.queue("cq", 8));
    cluster.with(checked(UsageBasedQueues.usageBased("cq", 8)).build());
    cluster.advance(Duration.ofHours(10));
    assertThat(consumed(cluster)).isCloseTo(isAnchoredAtReservation(version) ? 4 : 0, within(1e-6));
    cluster.with(checked(Queues.queue("cq", 8)).build());
    cluster.advance(Duration.ofHours(20));
    assertThat(consumed(cluster)).isCloseTo(0, within(1e-6));
  }

  @ParameterizedTest
  @EnumSource
  void theOrderOfLocalQueuesFollows(KueueVersion version) {
    Cluster cluster = waiting(version);
    UsageBasedQueues.restore(cluster, "b", "16");
    cluster.advance(Duration.ofMinutes(30));
    cluster.submit("a2", "a", 1);
    cluster.submit("b1", "b", 1);
    assertThat(cluster.pending("cq"))
        .containsExactlyElementsOf(
            isAnchoredAtReservation(version) ? List.of("b1", "a2") : List.of("a2", "b1"));
  }
}
