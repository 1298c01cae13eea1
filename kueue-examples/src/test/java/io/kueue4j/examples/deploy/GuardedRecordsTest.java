package io.kueue4j.examples.deploy;

import static io.kueue4j.examples.deploy.GuardedServer.FINALIZER;
import static io.kueue4j.examples.deploy.GuardedServer.NOTE;
import static io.kueue4j.examples.deploy.GuardedServer.ORIGINAL;
import static io.kueue4j.examples.deploy.GuardedServer.annotated;
import static io.kueue4j.examples.deploy.GuardedServer.assertRefused;
import static io.kueue4j.examples.deploy.GuardedServer.edit;
import static io.kueue4j.examples.deploy.GuardedServer.job;
import static io.kueue4j.examples.deploy.GuardedServer.name;
import static io.kueue4j.examples.deploy.GuardedServer.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.guard.Guard;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Who may write records of admission, on jobs and in Workloads, where the guard is in place. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class GuardedRecordsTest {
  private static GuardedServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;
  private static KubernetesClient controller;
  private static KubernetesClient jobController;

  @BeforeAll
  static void start() throws Exception {
    server = GuardedServer.start();
    admin = server.admin;
    tenant = server.tenant;
    controller = server.controller;
    jobController = server.jobController;
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void onlyTheControllerWritesRecords() {
    assertRefused(
        () -> tenant.resource(annotated(job(name(), true), NOTE)).create(),
        "only the controller of queues writes the annotation " + NOTE);
    Job job = tenant.resource(job(name(), true)).create();
    assertRefused(() -> edit(tenant, job, known -> annotated(known, NOTE)), NOTE);
    Job noted = edit(controller, job, known -> annotated(known, NOTE));
    assertRefused(
        () -> edit(tenant, noted, known -> {
          known.getMetadata().setAnnotations(Map.of());
          return known;
        }),
        NOTE);
    // Users may set this one, and whatever does not begin with the prefix.
    assertThatCode(() -> edit(tenant, noted, known -> {
          known.getMetadata().getAnnotations().put("kueue4j.io/active", "false");
          known.getMetadata().getAnnotations().put("example.com/kueue4j.io", "x");
          return known;
        }))
        .doesNotThrowAnyException();
  }

  private static GenericKubernetesResource recorded() {
    GenericKubernetesResource created = controller.resource(workload(name())).create();
    created.setAdditionalProperty(
        "status",
        new HashMap<>(Map.of(
            "admission", Map.of("clusterQueue", "research"),
            "admissionChecks", List.of(Map.of("name", "budget", "state", "Pending")))));
    return controller.resource(created).updateStatus();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(GenericKubernetesResource object, String field) {
    return (Map<String, Object>)
        Objects.requireNonNull(object.getAdditionalProperties().get(field));
  }

  @Test
  void onlyTheControllerCreatesWorkloads() {
    String name = name();
    assertRefused(
        () -> tenant.resource(workload(name)).create(),
        "only the controller of queues creates Workload " + name,
        "create a job that names a queue");
    assertThatCode(() -> controller.resource(workload(name)).create()).doesNotThrowAnyException();
  }

  @Test
  void aTenantWritesNothingOfAWorkloadButItsEnd() {
    GenericKubernetesResource known = recorded();
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").put("podSets", List.of());
          return changed;
        }),
        "only the controller of queues writes spec.podSets of Workload "
            + known.getMetadata().getName());
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").put("priority", 1000);
          return changed;
        }),
        "spec.priority");
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").remove("queueName");
          return changed;
        }),
        "spec.queueName");
    GenericKubernetesResource stopped = edit(tenant, known, changed -> {
      part(changed, "spec").put("active", false);
      changed.getMetadata().getLabels().put("example.com/team", "a");
      return changed;
    });
    assertThat(part(stopped, "spec")).containsEntry("active", false);
    tenant.resource(known).delete();
    assertThat(admin.resource(known).get().getMetadata().getDeletionTimestamp()).isNotNull();
    assertThatCode(() -> edit(controller, known, changed -> {
          changed.getMetadata().setFinalizers(List.of());
          return changed;
        }))
        .doesNotThrowAnyException();
    assertThat(admin.resource(known).get()).isNull();
  }

  @Test
  void onlyTheControllerWritesWhatTiesAWorkloadToItsJob() {
    GenericKubernetesResource known = recorded();
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().getOwnerReferences().get(0).setUid("b");
          return changed;
        }),
        "the owners of Workload");
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().setFinalizers(List.of("example.com/other"));
          return changed;
        }),
        "removes the finalizer " + FINALIZER);
    assertRefused(
        () -> edit(tenant, known, changed -> annotated(changed, ORIGINAL)),
        "the label or annotation " + ORIGINAL);
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().getLabels().remove("kueue.x-k8s.io/job-uid");
          return changed;
        }),
        "the label or annotation kueue.x-k8s.io/job-uid");
    assertThatCode(() -> edit(jobController, known, changed -> {
          changed.getMetadata().setOwnerReferences(List.of());
          return changed;
        }))
        .as("the garbage collector")
        .doesNotThrowAnyException();
  }

  /** Whatever roles give: only controllers of checks write the status. */
  @Test
  void whoMayWriteTheStatusOfAWorkloadWritesChecksOnly() {
    GenericKubernetesResource known = recorded();
    GenericKubernetesResource forged = tenant.resource(known).get();
    part(forged, "status").put("admission", Map.of("clusterQueue", "elsewhere"));
    assertRefused(
        () -> tenant.resource(forged).updateStatus(),
        "only the controller of queues writes status.admission of Workload",
        "the controllers of admission checks write status.admissionChecks");
    GenericKubernetesResource answered = tenant.resource(known).get();
    part(answered, "status")
        .put("admissionChecks", List.of(Map.of("name", "budget", "state", "Ready")));
    assertThat(Serialization.asJson(tenant.resource(answered).updateStatus()))
        .contains("\"Ready\"");
  }

  @Test
  void theControllerSeesWhetherTheGuardIsInPlace() {
    try (Guard guard = Guard.watch(controller, Duration.ofMillis(100))) {
      assertThat(guard.warning()).isEmpty();
      ValidatingAdmissionPolicyBinding binding = admin
          .resources(ValidatingAdmissionPolicyBinding.class)
          .withName("kueue4j-pods")
          .get();
      admin
          .resource(new ValidatingAdmissionPolicyBindingBuilder(binding)
              .editSpec()
              .withValidationActions("Audit")
              .endSpec()
              .build())
          .update();
      Await.until(
          "the action is reported",
          () -> guard.warning().orElse("").contains("kueue4j-pods has the actions [Audit]"));
      admin
          .resources(ValidatingAdmissionPolicyBinding.class)
          .withName("kueue4j-pods")
          .edit(changed -> new ValidatingAdmissionPolicyBindingBuilder(changed)
              .withSpec(binding.getSpec())
              .build());
      Await.until("it is in place", () -> guard.warning().isEmpty());
    }
  }

  @Test
  void withoutTheRightTheGuardIsNotSeen() {
    try (Guard guard = Guard.watch(tenant, Duration.ofHours(1))) {
      assertThat(guard.warning().orElseThrow())
          .startsWith("the guard is not in place: ValidatingAdmissionPolicy kueue4j-jobs does not"
              + " exist, or may not be read");
    }
  }

  @Test
  void policiesAndTheirNamesBelongTogether() {
    assertThat(admin.resources(ValidatingAdmissionPolicy.class).list().getItems())
        .extracting(policy -> policy.getMetadata().getName())
        .containsExactlyInAnyOrderElementsOf(Guard.POLICIES);
  }
}
