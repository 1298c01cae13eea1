package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.condition;
import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.KueueObjects.status;
import static io.kueue4j.k8s.status.KueueObjects.stored;
import static io.kueue4j.k8s.status.TestEngine.START;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of queues, as Kueue stores it, by example. */
class QueueStatusWriterTest {
  private static final QueueStatusWriter WRITER = QueueStatusWriter.of(Settings.defaults());

  private static GenericKubernetesResource clusterQueue(String version) {
    return object("""
        apiVersion: kueue.x-k8s.io/%s
        kind: ClusterQueue
        metadata: {name: cq, generation: 2}
        spec: {namespaceSelector: {}}
        """.formatted(version));
  }

  private static GenericKubernetesResource localQueue(String version) {
    return object("""
        apiVersion: kueue.x-k8s.io/%s
        kind: LocalQueue
        metadata: {name: q, namespace: ns}
        spec: {clusterQueue: cq}
        """.formatted(version));
  }

  private static GenericKubernetesResource write(
      TestEngine t, QueueStatusWriter writer, GenericKubernetesResource object) {
    EngineView view = t.engine.view();
    return stored(
        object.getKind().equals("ClusterQueue")
            ? writer.clusterQueue(object, view.clusterQueue("cq").orElseThrow(), t.now())
            : writer.localQueue(object, view.localQueue("ns", "q").orElseThrow(), view, t.now()));
  }

  private static Object flavor(String name, Object... resources) {
    return Map.of("name", name, "resources", List.of(resources));
  }

  private static Object borrowed(String resource, String total, String borrowed) {
    return Map.of("name", resource, "total", total, "borrowed", borrowed);
  }

  private static Object total(String resource, String total) {
    return Map.of("name", resource, "total", total);
  }

  @Nested
  class Counts {
    private final TestEngine t = TestEngine.checking();

    Counts() {
      t.run(job("admitted", 3));
      t.check("admitted", CheckState.READY, "");
      t.run(job("reserved", 4));
      t.run(job("waits", 8));
      t.submit(job("queued", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1beta2"})
    void ofAClusterQueue(String version) {
      GenericKubernetesResource written = write(t, WRITER, clusterQueue(version));

      assertThat(status(written))
          .isEqualTo(Map.of(
              "conditions",
              List.of(Map.of(
                  "type", "Active",
                  "status", "True",
                  "observedGeneration", 2,
                  "lastTransitionTime", "2026-01-31T12:00:00Z",
                  "reason", "Ready",
                  "message", "Can admit new workloads")),
              "flavorsReservation",
              List.of(flavor("default", borrowed("cpu", "7", "0"))),
              "flavorsUsage",
              List.of(flavor("default", borrowed("cpu", "3", "0"))),
              "pendingWorkloads",
              2,
              "reservingWorkloads",
              2,
              "admittedWorkloads",
              1));
    }

    @Test
    void ofALocalQueueWithoutWhatIsBorrowed() {
      GenericKubernetesResource written = write(t, WRITER, localQueue("v1beta2"));

      assertThat(status(written, "flavorsReservation"))
          .isEqualTo(List.of(flavor("default", total("cpu", "7"))));
      assertThat(status(written, "flavorsUsage"))
          .isEqualTo(List.of(flavor("default", total("cpu", "3"))));
      assertThat(status(written, "pendingWorkloads")).isEqualTo(2);
      assertThat(status(written, "reservingWorkloads")).isEqualTo(2);
      assertThat(status(written, "admittedWorkloads")).isEqualTo(1);
      assertThat(status(written, "flavors")).isNull();
    }

    @Test
    void ofALocalQueueInV1beta1() {
      GenericKubernetesResource written = write(t, WRITER, localQueue("v1beta1"));

      assertThat(status(written, "flavorUsage"))
          .isEqualTo(List.of(flavor("default", total("cpu", "3"))));
      assertThat(status(written, "flavorsUsage")).isNull();
    }

    @Test
    void ofAnotherLocalQueueAreItsOwn() {
      t.engine.apply(LocalQueue.of("ns", "other", "cq"));
      EngineView view = t.engine.view();
      GenericKubernetesResource written = stored(WRITER.localQueue(
          localQueue("v1beta2"), view.localQueue("ns", "other").orElseThrow(), view, t.now()));
      assertThat(status(written, "flavorsReservation"))
          .isEqualTo(List.of(flavor("default", total("cpu", "0"))));
      assertThat(status(written, "pendingWorkloads")).isEqualTo(0);
      assertThat(status(written, "reservingWorkloads")).isEqualTo(0);
    }

    @Test
    void nothingNewIsAnEqualObject() {
      for (GenericKubernetesResource object :
          List.of(clusterQueue("v1beta2"), localQueue("v1beta1"))) {
        GenericKubernetesResource written = write(t, WRITER, object);
        t.pass(60);
        assertThat(write(t, WRITER, written)).isEqualTo(written).isNotEqualTo(object);
      }
    }

    @Test
    void whatOthersWroteStays() {
      GenericKubernetesResource foreign = clusterQueue("v1beta2");
      foreign.setAdditionalProperty(
          "status",
          Map.of(
              "conditions",
              List.of(Map.of("type", "Mine", "status", "Unknown")),
              "future",
              List.of(1)));
      GenericKubernetesResource written = write(t, WRITER, foreign);
      assertThat(status(written, "future")).isEqualTo(List.of(1));
      assertThat(status(written, "conditions", 0))
          .isEqualTo(Map.of("type", "Mine", "status", "Unknown"));
    }

    @Test
    void otherVersionsAreRefused() {
      EngineView view = t.engine.view();
      assertThatThrownBy(() -> WRITER.clusterQueue(
              clusterQueue("v1alpha2"), view.clusterQueue("cq").orElseThrow(), START))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("v1alpha2");
      assertThatThrownBy(() -> WRITER.localQueue(
              localQueue("v1alpha2"), view.localQueue("ns", "q").orElseThrow(), view, START))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("v1alpha2");
    }
  }

  @Nested
  class Usage {
    @Test
    void isListedInTheOrderOfFlavorsAndByResource() {
      TestEngine t = new TestEngine(
          Settings.defaults(),
          queue -> queue.resourceGroups(List.of(
              ResourceGroup.of(
                  FlavorQuotas.of(
                      "spot", ResourceQuota.of("memory", "1Gi"), ResourceQuota.of("cpu", "1")),
                  FlavorQuotas.of(
                      "default", ResourceQuota.of("memory", "4Gi"), ResourceQuota.of("cpu", "4"))),
              ResourceGroup.of(FlavorQuotas.of("gpus", ResourceQuota.ofAmount("gpu", 2))))));
      t.engine.apply(ResourceFlavor.of("spot"), ResourceFlavor.of("gpus"));
      t.run(job(
          "w",
          2,
          workload -> workload.podSets(List.of(PodSet.builder()
              .requestAmount("cpu", 1500)
              .requestAmount("memory", 3L << 29)
              .build()))));

      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "flavorsUsage"))
          .isEqualTo(List.of(
              flavor("spot", borrowed("cpu", "0", "0"), borrowed("memory", "0", "0")),
              flavor("default", borrowed("cpu", "1500m", "0"), borrowed("memory", "1536Mi", "0")),
              flavor("gpus", borrowed("gpu", "0", "0"))));
    }

    @Test
    void aboveTheNominalQuotaIsBorrowedInACohortOnly() {
      TestEngine t = new TestEngine(Settings.defaults(), queue -> queue.cohort("team"));
      t.engine.apply(TestEngine.queue("lender").cohort("team").build());
      t.run(job("w", 13));
      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "flavorsUsage"))
          .isEqualTo(List.of(flavor("default", borrowed("cpu", "13", "3"))));

      t.engine.apply(TestEngine.queue("cq").build());
      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "flavorsUsage"))
          .isEqualTo(List.of(flavor("default", borrowed("cpu", "13", "0"))));
    }

    @Test
    void isWithoutWhatPodsHaveGivenBack() {
      TestEngine t = new TestEngine();
      t.run(job("w", 4));
      t.engine.lifecycle().setReclaimablePods(TestEngine.id("w"), Map.of("main", 1));
      GenericKubernetesResource written = write(t, WRITER, clusterQueue("v1beta2"));
      assertThat(status(written, "flavorsUsage"))
          .isEqualTo(List.of(flavor("default", borrowed("cpu", "0", "0"))));
      assertThat(status(written, "admittedWorkloads")).isEqualTo(1);
    }

    @Test
    void ofWhatIsNotCoveredAnyMoreIsLeftOut() {
      TestEngine t = new TestEngine();
      t.run(job("w", 4));
      t.engine.apply(TestEngine.queue("cq")
          .resourceGroups(List.of(
              ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.ofAmount("gpu", 1)))))
          .build());
      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "flavorsUsage"))
          .isEqualTo(List.of(flavor("default", borrowed("gpu", "0", "0"))));
    }

    @Test
    void ofWhatStopsCountsUntilItHas() {
      TestEngine t = new TestEngine();
      t.run(job("w", 4));
      t.stopQueue(StopPolicy.HOLD_AND_DRAIN);
      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "admittedWorkloads"))
          .isEqualTo(1);
      t.engine.podsStopped(TestEngine.id("w"));
      assertThat(status(write(t, WRITER, clusterQueue("v1beta2")), "admittedWorkloads"))
          .isEqualTo(0);
    }
  }

  @Nested
  class Active {
    private TestEngine t = new TestEngine();

    private String ofClusterQueue() {
      return condition(write(t, WRITER, clusterQueue("v1beta2")), "Active");
    }

    private String ofLocalQueue() {
      return condition(write(t, WRITER, localQueue("v1beta2")), "Active");
    }

    @Test
    void readyBothMayBeUsed() {
      assertThat(ofClusterQueue()).isEqualTo("True Ready @12:00:00: Can admit new workloads");
      assertThat(ofLocalQueue())
          .isEqualTo("True Ready @12:00:00: Can submit new workloads to localQueue");
    }

    @Test
    void aQueueThatIsBeingDeletedIsTerminating() {
      GenericKubernetesResource deleted = clusterQueue("v1beta2");
      deleted.getMetadata().setDeletionTimestamp("2026-01-31T11:00:00Z");
      assertThat(condition(write(t, WRITER, deleted), "Active")).startsWith("False Terminating");
    }

    @Test
    void aStoppedQueueSaysSo() {
      t.stopQueue(StopPolicy.HOLD);
      assertThat(ofClusterQueue()).startsWith("False Stopped");
      assertThat(ofLocalQueue()).startsWith("False ClusterQueueIsInactive");
      t.engine.apply(LocalQueue.builder()
          .namespace("ns")
          .name("q")
          .clusterQueue("cq")
          .stopPolicy(StopPolicy.HOLD)
          .build());
      assertThat(ofLocalQueue()).isEqualTo("False Stopped @12:00:00: LocalQueue is stopped");
    }

    @Test
    void aLocalQueueMayLeadNowhere() {
      t.engine.apply(LocalQueue.of("ns", "q", "gone"));
      GenericKubernetesResource written = write(t, WRITER, localQueue("v1beta2"));
      assertThat(condition(written, "Active"))
          .startsWith("False ClusterQueueDoesNotExist")
          .contains("gone");
      assertThat(status(written, "flavorsUsage")).isEqualTo(List.of());
      assertThat(status(written, "pendingWorkloads")).isEqualTo(0);
    }

    @Test
    void theFirstReasonIsGivenAndAllAreListed() {
      t = new TestEngine(
          Settings.defaults(),
          queue -> queue
              .stopPolicy(StopPolicy.HOLD)
              .resourceGroups(List.of(ResourceGroup.of(
                  FlavorQuotas.of("a", ResourceQuota.ofAmount("cpu", 1)),
                  FlavorQuotas.of("b", ResourceQuota.ofAmount("cpu", 1))))));
      assertThat(ofClusterQueue())
          .startsWith("False Stopped @12:00:00: Can't admit new workloads: ")
          .contains("the stop policy", "ResourceFlavor a,", "ResourceFlavor b,")
          .endsWith(".");
    }

    private void isInactiveFor(String reason, String controller, boolean active, int checks) {
      t = new TestEngine(Settings.defaults(), queue -> {
        for (int i = 0; i < checks; i++) {
          queue.addAllAdmissionChecks(
              List.of(new AdmissionCheckRule("check" + i, ImmutableList.of())));
        }
        return queue;
      });
      for (int i = 0; i < checks && !controller.isEmpty(); i++) {
        t.engine.apply(new AdmissionCheck("check" + i, controller, active));
      }
      assertThat(ofClusterQueue()).startsWith("False " + reason + " @");
    }

    @Test
    void checksMayBeMissingOrInactiveOrNotGoTogether() {
      isInactiveFor("AdmissionCheckNotFound", "", false, 1);
      isInactiveFor("AdmissionCheckInactive", "example.com/c", false, 1);
      isInactiveFor("MultipleMultiKueueAdmissionChecks", AdmissionCheck.MULTI_KUEUE, true, 2);
    }

    @Test
    void multiKueueIsForAllFlavorsAndWithoutProvisioning() {
      t = new TestEngine(
          Settings.defaults(),
          queue -> queue.addAllAdmissionChecks(List.of(
              new AdmissionCheckRule("remote", ImmutableList.of()),
              new AdmissionCheckRule("nodes", ImmutableList.of()))));
      t.engine.apply(
          AdmissionCheck.of("remote", AdmissionCheck.MULTI_KUEUE),
          AdmissionCheck.of("nodes", AdmissionCheck.PROVISIONING_REQUEST));
      assertThat(ofClusterQueue()).startsWith("False MultiKueueWithProvisioningRequest");

      t = new TestEngine(
          Settings.defaults(),
          queue -> queue
              .resourceGroups(List.of(ResourceGroup.of(
                  FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", 1)),
                  FlavorQuotas.of("other", ResourceQuota.ofAmount("cpu", 1)))))
              .addAllAdmissionChecks(
                  List.of(new AdmissionCheckRule("remote", ImmutableList.of("default")))));
      t.engine.apply(
          ResourceFlavor.of("other"), AdmissionCheck.of("remote", AdmissionCheck.MULTI_KUEUE));
      assertThat(ofClusterQueue()).startsWith("False MultiKueueAdmissionCheckAppliedPerFlavor");
    }

    @Test
    void aTopologyMayBeMissing() {
      t.engine.apply(ResourceFlavor.builder()
          .name("default")
          .putNodeLabels("k", "v")
          .topologyName("racks")
          .build());
      assertThat(ofClusterQueue()).startsWith("False TopologyNotFound").contains("racks");
    }

    @Test
    void theTimeMovesWithTheStatus() {
      GenericKubernetesResource active = write(t, WRITER, clusterQueue("v1beta2"));
      t.pass(10);
      t.stopQueue(StopPolicy.HOLD);
      GenericKubernetesResource stopped = write(t, WRITER, active);
      assertThat(condition(stopped, "Active")).startsWith("False Stopped @12:00:10");
      t.pass(10);
      t.stopQueue(StopPolicy.HOLD_AND_DRAIN);
      assertThat(condition(write(t, WRITER, stopped), "Active"))
          .startsWith("False Stopped @12:00:10");
    }
  }

  @Nested
  class Shares {
    @Test
    void areWrittenWithFairSharingOnly() {
      Settings fair = Settings.builder()
          .fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)
          .build();
      TestEngine t = new TestEngine(fair, queue -> queue.cohort("team"));
      t.engine.apply(TestEngine.queue("lender").cohort("team").build());
      t.run(job("w", 15));
      GenericKubernetesResource written =
          write(t, QueueStatusWriter.of(fair), clusterQueue("v1beta2"));
      assertThat(status(written, "fairSharing")).isEqualTo(Map.of("weightedShare", 250));
      assertThat(status(write(t, WRITER, written), "fairSharing")).isNull();

      t.engine.apply(TestEngine.queue("cq").cohort("team").fairSharingWeight(0).build());
      assertThat(status(write(t, QueueStatusWriter.of(fair), written), "fairSharing"))
          .isEqualTo(Map.of("weightedShare", Long.MAX_VALUE));
    }

    @Test
    void ofLocalQueuesSayWhatTheyHaveUsed() {
      Settings settings = Settings.builder()
          .admissionFairSharing(AdmissionFairSharing.of(Duration.ofHours(1)))
          .build();
      TestEngine t = new TestEngine(
          settings, queue -> queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING));
      ConsumedUsage usage = new ConsumedUsage(
          ImmutableSortedMap.of(
              "cpu", new BigDecimal("2.500000000"), "memory", new BigDecimal("1000000")),
          START);
      t.engine.restoreConsumedUsage("ns", "q", usage);

      assertThat(status(
              write(t, QueueStatusWriter.of(settings), localQueue("v1beta2")), "fairSharing"))
          .isEqualTo(Map.of(
              "weightedShare",
              0,
              "admissionFairSharingStatus",
              Map.of(
                  "consumedResources",
                  Map.of("cpu", "2.5", "memory", "1000000"),
                  "lastUpdate",
                  "2026-01-31T12:00:00Z")));
      assertThat(status(write(new TestEngine(), WRITER, localQueue("v1beta2")), "fairSharing"))
          .isNull();
    }
  }

  @Test
  void aLocalQueueInV1beta1MayListItsFlavors() {
    TestEngine t = new TestEngine();
    QueueStatusWriter writer = WRITER.withConfiguration(List.of(
        ResourceFlavor.of("default"),
        ResourceFlavor.builder()
            .name("default")
            .putNodeLabels("pool", "a")
            .addAllNodeTaints(List.of(
                new Taint("gpu", "present", Taint.Effect.NO_SCHEDULE),
                new Taint("bare", "", Taint.Effect.NO_EXECUTE)))
            .topologyName("racks")
            .build(),
        Topology.of("racks", "rack", "kubernetes.io/hostname")));

    assertThat(status(write(t, writer, localQueue("v1beta1")), "flavors"))
        .isEqualTo(List.of(Map.of(
            "name",
            "default",
            "resources",
            List.of("cpu"),
            "nodeLabels",
            Map.of("pool", "a"),
            "nodeTaints",
            List.of(
                Map.of("key", "gpu", "value", "present", "effect", "NoSchedule"),
                Map.of("key", "bare", "effect", "NoExecute")),
            "topology",
            Map.of("name", "racks", "levels", List.of("rack", "kubernetes.io/hostname")))));
    assertThat(status(write(t, writer, localQueue("v1beta2")), "flavors")).isNull();
    t.engine.apply(LocalQueue.of("ns", "q", "gone"));
    assertThat(status(write(t, writer, localQueue("v1beta1")), "flavors")).isEqualTo(List.of());
  }
}
