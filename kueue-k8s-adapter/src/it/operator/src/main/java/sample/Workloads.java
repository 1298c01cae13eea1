package sample;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Workloads of Renders, which have the names of their Renders. */
final class Workloads {
  static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
      .withGroup("kueue.x-k8s.io")
      .withVersion("v1beta2")
      .withKind("Workload")
      .withPlural("workloads")
      .withNamespaced(true)
      .build();

  private final KubernetesClient client;
  private final InstantSource clock;

  Workloads(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  Resource<GenericKubernetesResource> of(Render render) {
    return client
        .genericKubernetesResources(KIND)
        .inNamespace(render.getMetadata().getNamespace())
        .withName(render.getMetadata().getName());
  }

  void create(Render render) {
    Map<String, Object> container = Map.of(
        "name", "main",
        "image", "render",
        "resources", Map.of("requests", Map.of("cpu", render.getSpec().cpus())));
    Map<String, Object> template =
        Map.of("spec", Map.of("restartPolicy", "Never", "containers", List.of(container)));
    GenericKubernetesResource workload = new GenericKubernetesResourceBuilder()
        .withApiVersion("kueue.x-k8s.io/v1beta2")
        .withKind("Workload")
        .withNewMetadata()
        .withNamespace(render.getMetadata().getNamespace())
        .withName(render.getMetadata().getName())
        .withOwnerReferences(new OwnerReferenceBuilder()
            .withApiVersion(render.getApiVersion())
            .withKind(render.getKind())
            .withName(render.getMetadata().getName())
            .withUid(render.getMetadata().getUid())
            .withController(true)
            .build())
        .endMetadata()
        .addToAdditionalProperties(
            "spec",
            Map.of(
                "queueName", render.getSpec().queue(),
                "priority", render.getSpec().priority(),
                "podSets", List.of(Map.of("name", "main", "count", 1, "template", template))))
        .build();
    client.resource(workload).create();
  }

  static boolean isTrue(GenericKubernetesResource workload, String type) {
    return conditions(workload).stream()
        .anyMatch(each -> each.get("type").equals(type) && each.get("status").equals("True"));
  }

  /**
   * Gives the quota of an evicted Workload back when its pod has stopped, as Kueue does for jobs.
   */
  void resetAdmission(Render render) {
    of(render).editStatus(workload -> {
      status(workload).remove("admission");
      return with(workload, "QuotaReserved", "False", "Pending");
    });
  }

  void finish(Render render) {
    of(render).editStatus(workload -> with(workload, "Finished", "True", "Succeeded"));
  }

  private GenericKubernetesResource with(
      GenericKubernetesResource workload, String type, String value, String reason) {
    List<Map<String, Object>> conditions = new ArrayList<>(conditions(workload));
    conditions.removeIf(each -> each.get("type").equals(type));
    conditions.add(Map.of(
        "type", type,
        "status", value,
        "reason", reason,
        "message", "The pod has stopped",
        "lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()));
    status(workload).put("conditions", conditions);
    return workload;
  }

  private static Map<String, Object> status(GenericKubernetesResource workload) {
    if (workload.get("status") == null) {
      workload.setAdditionalProperty("status", new LinkedHashMap<>());
    }
    return workload.get("status");
  }

  private static List<Map<String, Object>> conditions(GenericKubernetesResource workload) {
    List<Map<String, Object>> conditions = workload.get("status", "conditions");
    return conditions == null ? List.of() : conditions;
  }
}
