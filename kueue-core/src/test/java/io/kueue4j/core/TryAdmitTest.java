package io.kueue4j.core;

import static io.kueue4j.core.Admissions.admission;
import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.changed;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.AdmissionResult.Admitted;
import io.kueue4j.core.decision.AdmissionResult.Pending;
import io.kueue4j.core.decision.AdmissionResult.Rejected;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

/** {@code tryAdmit}; rules Z-1, S-10, S-23, R-8 and M-13. */
class TryAdmitTest {
  private final Cluster cluster = new Cluster().with(queue("a", 10));
  private final AdmissionEngine engine = cluster.engine;

  private Workload pods(PodSet... podSets) {
    return cluster.jobOf("w", "a", w -> w.addPodSets(podSets));
  }

  @Test
  void admitsWhatFitsAndHoldsItsQuota() {
    assertThat(engine.tryAdmit(cluster.job("w", "a", 10)).result())
        .isEqualTo(new Admitted(admission("w", "a", 10)));
    assertThat(cluster.available("a")).isZero();
    assertThat(engine.admission(id("w"))).contains(admission("w", "a", 10));
  }

  @Test
  void givesTheSameAnswerAgain() {
    Workload workload = cluster.run("w", "a", 6).job("w");
    assertThat(engine.tryAdmit(workload).result()).isEqualTo(new Admitted(admission("w", "a", 6)));
    assertThat(cluster.used("a")).isEqualTo(6);
  }

  @Test
  void refusesOtherContentUnderAKnownId() {
    Workload running = cluster.run("w", "a", 6).job("w");
    Workload queued = cluster.submit("v", "a", 6).job("v");
    for (Workload known : new Workload[] {running, queued}) {
      Workload other = changed(known, w -> w.priority(1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.tryAdmit(other))
          .withMessageContaining(known.id().toString());
    }
    assertThat(cluster.used("a")).isEqualTo(6);
  }

  @Test
  void leavesNoTraceOfWhatDoesNotFit() {
    String before = engine.toString();
    Workload big = cluster.job("w", "a", 11);
    assertThat(engine.tryAdmit(big).result()).isInstanceOf(Pending.class);
    assertThat(engine).hasToString(before);
    assertThat(cluster.pending("a")).isEmpty();
    assertThat(cluster.inadmissible("a")).isEmpty();
    assertThat(engine.delete(big.id()).removed()).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> engine.explain(big.id()));
  }

  @Test
  void doesNotParkOthersOfTheShapeThatDidNotFit() {
    AdmissionResult unused = engine.tryAdmit(cluster.job("tried", "a", 11)).result();
    cluster.submit("queued", "a", 11);
    assertThat(cluster.pending("a")).containsExactly("queued");
  }

  @Test
  void saysWhatIsMissing() {
    cluster.run("running", "a", 4);
    AdmissionResult result = engine.tryAdmit(cluster.job("w", "a", 8)).result();
    assertThat(result)
        .isEqualTo(new Pending(
            id("w"),
            PendingCause.WAITING_FOR_QUOTA,
            ImmutableList.of(Reason.builder()
                .code(ReasonCode.NO_PREEMPTION_CANDIDATES)
                .podSet("main")
                .flavor(FLAVOR)
                .resource("cpu")
                .asked(8000)
                .used(4000)
                .available(6000)
                .limit(10_000)
                .build())));
  }

  @Test
  void refusesWorkloadsThatBreakRulesWithEveryReason() {
    Workload bad = pods(
        PodSet.builder().name("a").count(-1).build(), PodSet.builder().name("a").build());
    AdmissionResult result = engine.tryAdmit(bad).result();
    assertThat(result).isInstanceOfSatisfying(Rejected.class, rejected -> {
      assertThat(rejected.workload()).isEqualTo(bad.id());
      assertThat(rejected.reasons()).hasSize(2).allSatisfy(reason -> {
        assertThat(reason.code()).isEqualTo(ReasonCode.INVALID);
        assertThat(reason.message()).startsWith("Workload ns/w: podSets[");
      });
    });
    assertThat(engine.delete(bad.id()).removed()).isEmpty();
  }

  @Test
  void takesAQueuedWorkloadOutOfItsQueueWhenItFits() {
    cluster.submit("first", "a", 1);
    Workload second = cluster.submit("second", "a", 1).job("second");
    assertThat(engine.tryAdmit(second).result().isAdmitted()).isTrue();
    assertThat(cluster.pending("a")).containsExactly("first");
  }

  @Test
  void leavesAQueuedWorkloadWhereItStandsWhenItDoesNotFit() {
    cluster.submit("first", "a", 1);
    Workload second = cluster.submit("second", "a", 11).job("second");
    cluster.submit("third", "a", 1);
    AdmissionResult unused2 = engine.tryAdmit(second).result();
    assertThat(cluster.pending("a")).containsExactly("first", "second", "third");
    assertThat(cluster.workload("second").reasonCodes()).containsExactly(ReasonCode.NOT_TRIED_YET);
  }

  @Test
  void triesAParkedWorkloadWithoutWakingIt() {
    Workload parked = cluster.submit("parked", "a", 11).job("parked");
    cluster.cycle();
    AdmissionResult unused3 = engine.tryAdmit(parked).result();
    assertThat(cluster.inadmissible("a")).containsExactly("parked");
  }

  @Test
  void passesTheHeadOfAStrictQueue() {
    cluster.with(queue("strict", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.submit("head", "strict", 11);
    cluster.run("w", "strict", 1);
    assertThat(cluster.pending("strict")).containsExactly("head");
  }

  @Test
  void admitsAllPodSetsOrNone() {
    PodSet driver = PodSet.builder().name("driver").requestAmount("cpu", 2000).build();
    PodSet workers =
        PodSet.builder().name("workers").count(3).requestAmount("cpu", 3000).build();
    assertThat(engine.tryAdmit(pods(driver, workers)).result()).isInstanceOf(Pending.class);
    assertThat(cluster.used("a")).isZero();
  }

  @Test
  void borrowsWhatTheCohortHasUnused() {
    cluster.with(queue("b", 4).cohort("team"), queue("c", 6).cohort("team"));
    cluster.run("w", "b", 9);
    assertThat(cluster.view("b").usage().get(0).borrowed()).isEqualTo(5000);
    assertThat(cluster.available("c")).isEqualTo(1);
  }

  @Test
  void countsPodsWhereTheQueueHasQuotaForThem() {
    cluster.with(openQueue("counted")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of(FLAVOR, ResourceQuota.of("pods", "5")))));
    Workload four = cluster.jobOf(
        "four", "counted", w -> w.addPodSets(PodSet.builder().count(4).build()));
    Workload two = cluster.jobOf(
        "two", "counted", w -> w.addPodSets(PodSet.builder().count(2).build()));
    AdmissionResult result = engine.tryAdmit(four).result();
    assertThat(result)
        .isInstanceOfSatisfying(
            Admitted.class,
            admitted -> assertThat(
                    admitted.admission().podSetAssignments().get(0).resourceUsage())
                .containsEntry("pods", 4L));
    assertThat(engine.tryAdmit(two).result().isAdmitted()).isFalse();
  }

  @Test
  void aQueueWithoutResourceGroupsTakesOnlyRequestsOfNothing() {
    cluster.with(openQueue("empty"));
    Workload withoutRequests =
        cluster.jobOf("without", "empty", w -> w.addPodSets(PodSet.builder().build()));
    assertThat(engine.tryAdmit(withoutRequests).result().isAdmitted()).isFalse();
    assertThat(engine.tryAdmit(cluster.job("zero", "empty", 0)).result().isAdmitted())
        .isTrue();
    assertThat(engine.tryAdmit(cluster.job("one", "empty", 1)).result().isAdmitted())
        .isFalse();
  }

  @Test
  void unlimitedQuotaTakesTheGreatestRequests() {
    cluster.with(openQueue("vast")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of(FLAVOR, ResourceQuota.of("cpu", "1E")))));
    Workload vast = cluster.jobOf(
        "vast",
        "vast",
        w -> w.addPodSets(PodSet.builder()
            .count(1000)
            .requestAmount("cpu", Long.MAX_VALUE / 2)
            .build()));
    assertThat(engine.tryAdmit(vast).result().isAdmitted()).isTrue();
  }

  @Test
  void requestsThatOverflowDoNotSlipIn() {
    Workload vast = pods(
        PodSet.builder().count(1000).requestAmount("cpu", Long.MAX_VALUE / 2).build());
    assertThat(engine.tryAdmit(vast).result().isAdmitted()).isFalse();
  }

  @Test
  void matchCallsTheFunctionOfItsKind() {
    assertThat(kind(engine.tryAdmit(cluster.job("x", "a", 1)).result())).isEqualTo("admitted ns/x");
    assertThat(kind(engine.tryAdmit(cluster.job("y", "a", 99)).result())).isEqualTo("pending ns/y");
    assertThat(kind(engine.tryAdmit(cluster.jobOf("z", "a", w -> w)).result()))
        .isEqualTo("rejected ns/z");
  }

  private static String kind(AdmissionResult result) {
    return result.<String>match(
            admitted -> "admitted ",
            reserved -> "reserved ",
            preempting -> "preempting ",
            pending -> "pending ",
            rejected -> "rejected ")
        + result.workload();
  }
}
