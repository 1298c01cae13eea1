package io.kueue4j.core;

import static io.kueue4j.core.Cluster.START;
import static io.kueue4j.core.Cluster.id;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers of workloads that are not admitted, by reason; rules L-5, L-26. */
class UnadmittedTest {
  private Instant now = START;
  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(() -> now).build();

  UnadmittedTest() {
    engine.apply(ResourceFlavor.of(Cluster.FLAVOR));
  }

  private void queue(ClusterQueue.Builder queue) {
    ClusterQueue built = queue.build();
    engine.apply(built, Queues.localQueue(built.name()));
  }

  private static Workload.Builder job(String name, String queue, int cpu) {
    return Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .queueName(queue)
        .creationTime(START)
        .addPodSets(PodSet.builder().requestAmount("cpu", cpu * 1000L).build());
  }

  private void submit(String name, String queue, int cpu) {
    engine.submit(job(name, queue, cpu).build());
  }

  /** {@return for example {@code 2 in q of q: NoReservation, WaitingForQuota}} */
  private static List<String> counts(AdmissionEngine of) {
    return of.lifecycle().unadmitted().entrySet().stream()
        .map(each -> each.getValue() + text(each.getKey()))
        .toList();
  }

  private static String text(Unadmitted each) {
    return " in " + each.localQueue() + " of " + each.clusterQueue().orElse("-") + ": "
        + each.reason() + each.cause().map(cause -> ", " + cause).orElse("");
  }

  @Test
  void whatIsNotTriedYetIsPendingEvaluation() {
    queue(Queues.queue("q", 10));
    submit("a", "q", 4);
    submit("b", "q", 4);
    assertThat(counts(engine)).containsExactly("2 in q of q: NoReservation, PendingEvaluation");
    engine.runCycle();
    assertThat(counts(engine)).containsExactly("1 in q of q: NoReservation, PendingEvaluation");
    engine.runCycle();
    assertThat(counts(engine)).isEmpty();
  }

  @Test
  void whatIsTriedAgainAfterAnEventIsPendingEvaluation() {
    queue(Queues.queue("q", 10));
    submit("a", "q", 10);
    engine.runCycle();
    submit("b", "q", 10);
    engine.runCycle();
    assertThat(counts(engine)).containsExactly("1 in q of q: NoReservation, WaitingForQuota");
    engine.finish(id("a"));
    assertThat(counts(engine)).containsExactly("1 in q of q: NoReservation, PendingEvaluation");
  }

  @Test
  void eachCauseIsCountedByItself() {
    queue(Queues.queue("q", 10));
    submit("a", "q", 8);
    engine.runCycle();
    submit("b", "q", 8);
    submit("c", "q", 20);
    submit("lost", "nowhere", 1);
    engine.submit(job("off", "q", 1).active(false).build());
    engine.runCycle();
    engine.runCycle();
    assertThat(counts(engine))
        .containsExactly(
            "1 in nowhere of -: NoReservation, Misconfigured",
            "1 in q of q: NoReservation, Deactivated",
            "1 in q of q: NoReservation, ExceedsMaxQuota",
            "1 in q of q: NoReservation, WaitingForQuota");
  }

  @Test
  void theCauseIsTheOneThatIsExplained() {
    queue(Queues.queue("q", 10));
    submit("a", "q", 8);
    engine.runCycle();
    submit("b", "q", 8);
    engine.runCycle();
    // Equal for scheduling, so the result of b applies to c.
    submit("c", "q", 8);
    assertThat(engine.explain(id("c")).cause())
        .isEqualTo(engine.explain(id("b")).cause());
    assertThat(counts(engine)).containsExactly("2 in q of q: NoReservation, WaitingForQuota");
    queue(Queues.queue("q", 10).stopPolicy(StopPolicy.HOLD));
    assertThat(counts(engine)).containsExactly("2 in q of q: NoReservation, Suspended");
  }

  @Test
  void whatHoldsQuotaAndMayNotRunHasNoCause() {
    engine.apply(AdmissionCheck.of("budget", "controller"));
    queue(Queues.queue("q", 10)
        .addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of()))));
    submit("a", "q", 4);
    engine.runCycle();
    assertThat(counts(engine)).containsExactly("1 in q of q: UnsatisfiedAdmissionChecks");
    engine.lifecycle().setCheck(id("a"), AdmissionCheckState.of("budget", CheckState.READY));
    assertThat(counts(engine)).isEmpty();
  }

  @Test
  void whatWasToldToStopMayNotRunWhenItHas() {
    queue(Queues.queue("q", 10));
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 4).build()).result();
    engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "gone");
    // It still runs.
    assertThat(counts(engine)).isEmpty();
    engine.podsStopped(id("a"));
    assertThat(counts(engine)).containsExactly("1 in q of q: NoReservation, PendingEvaluation");
  }

  @Test
  void aForkCountsWhatItTookOver() {
    queue(Queues.queue("q", 10));
    submit("a", "q", 20);
    AdmissionEngine fork = engine.view().whatIf();
    assertThat(counts(fork)).containsExactly("1 in q of q: NoReservation, PendingEvaluation");
    fork.runCycle();
    assertThat(counts(fork)).containsExactly("1 in q of q: NoReservation, ExceedsMaxQuota");
    assertThat(counts(engine)).containsExactly("1 in q of q: NoReservation, PendingEvaluation");
  }
}
