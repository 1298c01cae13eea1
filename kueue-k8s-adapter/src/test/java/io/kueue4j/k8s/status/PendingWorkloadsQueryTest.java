package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.json;
import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.status.PendingWorkloadsQuery.Answer;
import io.kueue4j.k8s.status.PendingWorkloadsQuery.Page;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The lists of pending workloads. */
class PendingWorkloadsQueryTest {
  private final TestEngine t = new TestEngine();

  PendingWorkloadsQueryTest() {
    t.engine.apply(LocalQueue.of("ns", "other", "cq"));
    t.run(job("running", 10));
    t.run(job("parked", 4));
    t.submit(job("young", 1, each -> each.creationTime(TestEngine.START.plusSeconds(9))));
    t.submit(job("elsewhere", 1, each -> each.queueName("other").priority(3)));
    t.submit(job("first", 1, each -> each.priority(50)));
  }

  private PendingWorkloadsQuery pending() {
    return PendingWorkloadsQuery.of(t.engine.view());
  }

  private static List<String> places(Answer answer) {
    assertThat(answer.failure()).isEmpty();
    return answer.summary().orElseThrow().items().stream()
        .map(item -> item.workload().name() + " " + item.priority() + " " + item.localQueueName()
            + " " + item.positionInClusterQueue() + "/" + item.positionInLocalQueue())
        .toList();
  }

  @Test
  void aClusterQueueTellsAllInOrderOfService() {
    assertThat(places(pending().inClusterQueue("cq", Page.FIRST)))
        .containsExactly(
            "first 50 q 0/0", "elsewhere 3 other 1/0", "parked 0 q 2/1", "young 0 q 3/2");
  }

  @Test
  void aLocalQueueTellsItsOwn() {
    assertThat(places(pending().inLocalQueue("ns", "q", Page.FIRST)))
        .containsExactly("first 50 q 0/0", "parked 0 q 2/1", "young 0 q 3/2");
    assertThat(places(pending().inLocalQueue("ns", "other", Page.FIRST)))
        .containsExactly("elsewhere 3 other 1/0");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, first elsewhere",
    "1, 2, elsewhere parked",
    "3, 1000, young",
    "9, 5, ''",
    "0, 0, ''",
    "0, -1, ''",
    "-3, 1, first",
    "0, 9223372036854775807, first elsewhere parked young"
  })
  void aPageIsAPart(long offset, long limit, String expected) {
    assertThat(pending()
            .inClusterQueue("cq", new Page(offset, limit))
            .summary()
            .orElseThrow()
            .items())
        .extracting(item -> item.workload().name())
        .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(" ")));
  }

  @Test
  void placesInAPageAreThoseInTheQueue() {
    assertThat(places(pending().inLocalQueue("ns", "q", new Page(1, 1))))
        .containsExactly("parked 0 q 2/1");
  }

  @Test
  void theFirstPageIsAThousandAndNoneOverAHundredThousand() {
    assertThat(Page.FIRST).isEqualTo(new Page(0, 1000));
    TestEngine many = new TestEngine(Settings.defaults(), queue -> queue);
    for (int i = 0; i < 1005; i++) {
      many.submit(job("w" + i, 1));
    }
    PendingWorkloadsQuery pending = PendingWorkloadsQuery.of(many.engine.view());
    assertThat(pending.inClusterQueue("cq", Page.FIRST).summary().orElseThrow().items())
        .hasSize(1000);
    assertThat(pending
            .inClusterQueue("cq", new Page(1000, Page.MAX_LIMIT))
            .summary()
            .orElseThrow()
            .items())
        .hasSize(5);
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    Answer answer = pending().inClusterQueue("gone", Page.FIRST);
    assertThat(answer.summary()).isEmpty();
    Status failure = answer.failure().orElseThrow();
    assertThat(failure.getCode()).isEqualTo(404);
    assertThat(failure.getReason()).isEqualTo("NotFound");
    assertThat(failure.getMessage())
        .isEqualTo("clusterqueue.visibility.kueue.x-k8s.io \"gone\" not found");
    assertThat(failure.getDetails().getName()).isEqualTo("gone");

    assertThat(
            pending().inLocalQueue("other-ns", "q", Page.FIRST).failure().map(Status::getMessage))
        .contains("localqueue.visibility.kueue.x-k8s.io \"q\" not found");
  }

  @Test
  void noneWaitsInAQueueThatIsStoppedOrHasNoClusterQueue() {
    t.engine.apply(LocalQueue.builder()
        .namespace("ns")
        .name("q")
        .clusterQueue("cq")
        .stopPolicy(StopPolicy.HOLD)
        .build());
    assertThat(places(pending().inLocalQueue("ns", "q", Page.FIRST))).isEmpty();
    t.engine.apply(LocalQueue.of("ns", "lost", "gone"));
    assertThat(places(pending().inLocalQueue("ns", "lost", Page.FIRST))).isEmpty();
  }

  @Test
  void aWorkloadThatIsAdmittedWaitsNoMore() {
    t.engine.finish(id("running"));
    PendingWorkloadsQuery before = pending();
    t.engine.runCycle();
    assertThat(places(pending().inClusterQueue("cq", Page.FIRST))).hasSize(3);
    assertThat(places(before.inClusterQueue("cq", Page.FIRST))).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(
      value = KueueApiVersion.class,
      names = {"V1BETA1", "V1BETA2"})
  void theSummaryIsAnObjectOfTheApi(KueueApiVersion version) {
    OwnerReference owner = new OwnerReferenceBuilder()
        .withApiVersion("batch/v1")
        .withKind("Job")
        .withName("j")
        .withUid("u")
        .withController(true)
        .build();
    PendingWorkloadsQuery owned = pending()
        .withOwners(
            workload -> workload.equals(id("parked")) ? List.of(owner) : ImmutableList.of());
    PendingWorkloadsQuery.Summary summary =
        owned.inClusterQueue("cq", new Page(2, 1)).summary().orElseThrow();

    assertThat(json(summary.write(version))).isEqualTo(json(object("""
            apiVersion: visibility.kueue.x-k8s.io/%s
            kind: PendingWorkloadsSummary
            items:
            - metadata:
                name: parked
                namespace: ns
                creationTimestamp: "2026-01-31T12:00:00Z"
                ownerReferences:
                - {apiVersion: batch/v1, kind: Job, name: j, uid: u}
              priority: 0
              localQueueName: q
              positionInClusterQueue: 2
              positionInLocalQueue: 1
            """.formatted(version))));
  }

  @Test
  void anObjectWithoutACreationTimeSaysSo() {
    Workload timeless = Workload.builder()
        .from(job("timeless", 1))
        .creationTime(Optional.empty())
        .priority(99)
        .build();
    t.submit(timeless);
    PendingWorkloadsQuery.Summary summary =
        pending().inClusterQueue("cq", new Page(0, 1)).summary().orElseThrow();
    assertThat(summary.items().get(0).workload()).isEqualTo(id("timeless"));
    assertThat(json(summary.write(KueueApiVersion.V1BETA2))).contains("\"creationTimestamp\":null");
  }

  @Test
  void otherVersionsAreRefused() {
    assertThatThrownBy(() ->
            new PendingWorkloadsQuery.Summary(ImmutableList.of()).write(KueueApiVersion.V1ALPHA1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v1alpha1");
  }
}
