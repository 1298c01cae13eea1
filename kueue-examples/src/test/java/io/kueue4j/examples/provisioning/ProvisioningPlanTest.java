package io.kueue4j.examples.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProvisioningPlanTest {
  private static final ProvisioningConfig CONFIG = new ProvisioningConfig(
      "queued.gke.io",
      ImmutableMap.of("maxRunDurationSeconds", "600"),
      ImmutableSet.of(),
      3,
      Duration.ofSeconds(60),
      Duration.ofSeconds(100),
      ImmutableMap.of("cloud.google.com/gke-nodepool", "NodePoolName"),
      Optional.empty());

  private static ProvisionedWorkload workload(String... conditions) {
    return new ProvisionedWorkload(
        "job-train",
        ImmutableMap.of("provreq.kueue.x-k8s.io/Priority", "high", "other", "x"),
        ImmutableList.of(podSet("main", 4, "1")),
        ImmutableSet.copyOf(conditions),
        true,
        ImmutableList.of());
  }

  private static ProvisionedWorkload.PodSet podSet(String name, int count, String cpu) {
    PodTemplateSpec template = new PodTemplateSpecBuilder()
        .withNewSpec()
        .withContainers(new ContainerBuilder()
            .withName(name)
            .withNewResources()
            .addToRequests("cpu", new Quantity(cpu))
            .endResources()
            .build())
        .endSpec()
        .build();
    return new ProvisionedWorkload.PodSet(name, count, template);
  }

  private static ProvisionedWorkload with(ProvisionedWorkload.PodSet... podSets) {
    ProvisionedWorkload plain = workload("QuotaReserved");
    return new ProvisionedWorkload(
        plain.name(),
        plain.annotations(),
        ImmutableList.copyOf(podSets),
        plain.conditions(),
        true,
        plain.checks());
  }

  private static AdmissionCheckState check(CheckState state, int retries) {
    return AdmissionCheckState.builder()
        .name("nodes")
        .state(state)
        .retryCount(retries)
        .build();
  }

  private static AdmissionCheckState pending() {
    return check(CheckState.PENDING, 0);
  }

  private static NodeRequest request(int attempt, Map<String, String> conditions) {
    return new NodeRequest(
        "job-train-nodes-" + attempt,
        "queued.gke.io",
        ImmutableMap.of("maxRunDurationSeconds", "600", "Priority", "high"),
        ImmutableList.of("ppt-job-train-nodes-" + attempt + "-main"),
        ImmutableMap.copyOf(conditions),
        Optional.ofNullable(conditions.get("Provisioned")),
        ImmutableMap.of("NodePoolName", "pool-7"));
  }

  private static ProvisioningPlan plan(AdmissionCheckState check, NodeRequest... requests) {
    return ProvisioningPlan.of(
        workload("QuotaReserved"), check, Optional.of(CONFIG), List.of(requests));
  }

  @Test
  void aWorkloadWithQuotaIsRequested() {
    ProvisioningPlan plan = plan(pending());

    assertThat(plan.state()).isEmpty();
    assertThat(plan.keep()).isEmpty();
    assertThat(plan.create()).hasValueSatisfying(request -> {
      assertThat(request.name()).isEqualTo("job-train-nodes-1");
      assertThat(request.className()).isEqualTo("queued.gke.io");
      assertThat(request.parameters())
          .isEqualTo(Map.of("maxRunDurationSeconds", "600", "Priority", "high"));
      assertThat(request.pods()).singleElement().satisfies(pods -> {
        assertThat(pods.podSet().name()).isEqualTo("main");
        assertThat(pods.count()).isEqualTo(4);
      });
    });
  }

  @Test
  void withoutQuotaNothingIsRequestedAndNothingKept() {
    for (ProvisionedWorkload workload : List.of(
        workload(), workload("QuotaReserved", "Evicted"), workload("QuotaReserved", "Finished"))) {
      ProvisioningPlan plan = ProvisioningPlan.of(
          workload, pending(), Optional.of(CONFIG), List.of(request(1, Map.of())));
      assertThat(plan)
          .isEqualTo(new ProvisioningPlan(Optional.empty(), Optional.empty(), Optional.empty()));
    }
  }

  @Test
  void withoutConfigurationTheCheckIsNotActive() {
    ProvisioningPlan plan = ProvisioningPlan.of(
        workload("QuotaReserved"), check(CheckState.READY, 0), Optional.empty(), List.of());
    assertThat(plan.create()).isEmpty();
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.PENDING);
      assertThat(state.message()).isEqualTo("the check is not active");
    });
  }

  @Test
  void podsThatNeedNothingOfTheAutoscalerAreNotRequested() {
    ProvisioningConfig gpus = new ProvisioningConfig(
        CONFIG.className(),
        CONFIG.parameters(),
        ImmutableSet.of("nvidia.com/gpu"),
        3,
        CONFIG.backoffBase(),
        CONFIG.backoffMax(),
        ImmutableMap.of(),
        Optional.empty());
    ProvisioningPlan plan =
        ProvisioningPlan.of(workload("QuotaReserved"), pending(), Optional.of(gpus), List.of());
    assertThat(plan.create()).isEmpty();
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.READY);
      assertThat(state.message()).isEqualTo("the provisioning request is not needed");
    });
    assertThat(ProvisioningPlan.of(
                with(podSet("main", 0, "1")), pending(), Optional.of(CONFIG), List.of())
            .create())
        .as("no pods")
        .isEmpty();
  }

  @Test
  void theMessageOfTheAutoscalerIsShown() {
    NodeRequest accepted = new NodeRequest(
        "job-train-nodes-1",
        "queued.gke.io",
        CONFIG.parameters(),
        ImmutableList.of(),
        ImmutableMap.of("Accepted", ""),
        Optional.of("in 10 minutes"),
        ImmutableMap.of());
    ProvisioningPlan plan = plan(pending(), accepted);
    assertThat(plan.create()).isEmpty();
    assertThat(plan.keep()).contains("job-train-nodes-1");
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.PENDING);
      assertThat(state.message()).isEqualTo("in 10 minutes");
    });
  }

  @Test
  void provisionedNodesMakeTheCheckReadyAndPodsSelectThem() {
    ProvisioningPlan plan =
        plan(pending(), request(1, Map.of("Accepted", "", "Provisioned", "all nodes are there")));
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.READY);
      assertThat(state.message()).isEqualTo("all nodes are there");
      assertThat(state.podSetUpdates())
          .containsExactly(PodSetUpdate.builder()
              .name("main")
              .putAnnotations(
                  "autoscaling.x-k8s.io/consume-provisioning-request", "job-train-nodes-1")
              .putAnnotations("autoscaling.x-k8s.io/provisioning-class-name", "queued.gke.io")
              .putNodeSelector("cloud.google.com/gke-nodepool", "pool-7")
              .build());
    });
    AdmissionCheckState ready = plan.state().orElseThrow();
    assertThat(plan(ready, request(1, Map.of("Provisioned", "later"))).state())
        .as("what is ready stays as it is")
        .isEmpty();
  }

  @Test
  void aFailureIsRetriedWithBackOffAndAnotherRequest() {
    NodeRequest failed = request(1, Map.of("Failed", "no stock"));
    ProvisioningPlan first = plan(pending(), failed);
    assertThat(first.create()).isEmpty();
    assertThat(first.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.RETRY);
      assertThat(state.message()).isEqualTo("Retrying after failure: no stock");
      assertThat(state.requeueAfter()).contains(Duration.ofSeconds(60));
    });
    // The workload was evicted, has quota again, and the retry was counted.
    ProvisioningPlan again = plan(check(CheckState.PENDING, 1), failed);
    assertThat(again.create().map(ProvisioningPlan.NewRequest::name)).contains("job-train-nodes-2");
    assertThat(again.state().map(AdmissionCheckState::state)).contains(CheckState.PENDING);
    ProvisioningPlan second =
        plan(check(CheckState.PENDING, 1), failed, request(2, Map.of("Failed", "again")));
    assertThat(second.keep()).contains("job-train-nodes-2");
    assertThat(second.state().orElseThrow().requeueAfter())
        .as("doubled, up to the maximum")
        .contains(Duration.ofSeconds(100));
  }

  @Test
  void afterTheLastFailureTheCheckIsRejected() {
    ProvisioningPlan plan =
        plan(check(CheckState.PENDING, 3), request(4, Map.of("Failed", "no stock")));
    assertThat(plan.create()).isEmpty();
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.REJECTED);
      assertThat(state.message()).isEqualTo("no stock");
    });
  }

  @Test
  void anExpiredBookingIsRetriedOnlyBeforeAdmission() {
    NodeRequest expired = request(1, Map.of("Provisioned", "", "BookingExpired", "too late"));
    assertThat(plan(pending(), expired).state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.RETRY);
      assertThat(state.message()).isEqualTo("Retrying after booking expired: too late");
    });
    ProvisioningPlan admitted = ProvisioningPlan.of(
        workload("QuotaReserved", "Admitted"),
        check(CheckState.READY, 0),
        Optional.of(CONFIG),
        List.of(expired));
    assertThat(admitted.state()).isEmpty();
    assertThat(admitted.create()).isEmpty();
  }

  @Test
  void revokedCapacityStopsTheWorkload() {
    ProvisioningPlan plan = ProvisioningPlan.of(
        workload("QuotaReserved", "Admitted"),
        check(CheckState.READY, 0),
        Optional.of(CONFIG),
        List.of(request(1, Map.of("Provisioned", "", "CapacityRevoked", "nodes are gone"))));
    assertThat(plan.state()).hasValueSatisfying(state -> {
      assertThat(state.state()).isEqualTo(CheckState.REJECTED);
      assertThat(state.message()).isEqualTo("nodes are gone");
    });
  }

  @Test
  void aRequestOfAnOldConfigurationDoesNotCount() {
    NodeRequest old = new NodeRequest(
        "job-train-nodes-1",
        "best-effort",
        ImmutableMap.of(),
        ImmutableList.of(),
        ImmutableMap.of(),
        Optional.empty(),
        ImmutableMap.of());
    ProvisioningPlan plan = plan(pending(), old);
    assertThat(plan.keep()).isEmpty();
    assertThat(plan.create().map(ProvisioningPlan.NewRequest::name)).contains("job-train-nodes-1");
  }

  @Test
  void equalPodSetsAreRequestedAsOneIfThatIsSet() {
    ProvisioningConfig merging = new ProvisioningConfig(
        CONFIG.className(),
        CONFIG.parameters(),
        ImmutableSet.of(),
        3,
        CONFIG.backoffBase(),
        CONFIG.backoffMax(),
        ImmutableMap.of(),
        Optional.of(ProvisioningConfig.MergePolicy.IDENTICAL_SCHEDULING_REQUIREMENTS));
    ProvisionedWorkload workload =
        with(podSet("driver", 1, "1"), podSet("worker", 4, "1"), podSet("big", 2, "8"));
    assertThat(ProvisioningPlan.of(workload, pending(), Optional.of(merging), List.of())
            .create()
            .orElseThrow()
            .pods())
        .extracting(pods -> pods.podSet().name() + " " + pods.count())
        .containsExactly("driver 5", "big 2");
    assertThat(ProvisioningPlan.of(workload, pending(), Optional.of(CONFIG), List.of())
            .create()
            .orElseThrow()
            .pods())
        .extracting(pods -> pods.podSet().name() + " " + pods.count())
        .containsExactly("driver 1", "worker 4", "big 2");
  }

  @Test
  void namesAreCutAsKueueCutsThem() {
    String longName = "w".repeat(260);
    assertThat(ProvisioningNames.request("w", "c", 12)).isEqualTo("w-c-12");
    assertThat(ProvisioningNames.request(longName, "c", 1)).hasSize(253).startsWith("www");
    assertThat(ProvisioningNames.attempt("w-c-12", "w", "c")).hasValue(12);
    assertThat(ProvisioningNames.attempt("w-c-d-12", "w", "c")).isEmpty();
    assertThat(ProvisioningNames.attempt("w-c-", "w", "c")).isEmpty();
    assertThat(ProvisioningNames.attempt("w-c-99999999999", "w", "c")).isEmpty();
    assertThat(ProvisioningNames.podTemplate("w-c-1", "main")).isEqualTo("ppt-w-c-1-main");
  }
}
