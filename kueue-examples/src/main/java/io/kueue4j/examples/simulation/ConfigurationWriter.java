package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.internal.kueue.ResourceLists;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Writes configuration in the version v1beta2 of Kueue's API: what is given in that version, and
 * what is not Kueue's, as it is; what is given in another version by its meaning.
 */
public final class ConfigurationWriter {
  private ConfigurationWriter() {}

  /** {@return a flavor, ClusterQueue, cohort or LocalQueue by its meaning} */
  public static GenericKubernetesResource write(ConfigObject object) {
    String name = object.qualifiedName();
    int slash = name.indexOf('/');
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(KueueApiVersion.V1BETA2.apiVersion())
        .withKind(object.key().substring(0, object.key().indexOf(' ')))
        .withNewMetadata()
        .withNamespace(slash < 0 ? null : name.substring(0, slash))
        .withName(name.substring(slash + 1))
        .endMetadata()
        .addToAdditionalProperties("spec", spec(object))
        .build();
  }

  static GenericKubernetesResource write(GivenObject config) {
    Manifest manifest = config.manifest();
    if (!manifest.group().equals(KueueApiVersion.GROUP)
        || manifest.apiVersion().equals(KueueApiVersion.V1BETA2.apiVersion())) {
      return given(manifest);
    }
    GenericKubernetesResource object = new GenericKubernetesResourceBuilder()
        .withApiVersion(KueueApiVersion.V1BETA2.apiVersion())
        .withKind(manifest.kind())
        .withMetadata(metadata(manifest, config.object()))
        .build();
    if (config.object() instanceof LocalQueue) {
      object.setKind("LocalQueue"); // The first versions called it Queue.
    }
    if (config.object() instanceof WorkloadPriorityClass priority) {
      object.setAdditionalProperty("value", priority.value());
    } else {
      object.setAdditionalProperty("spec", spec(config.object()));
    }
    return object;
  }

  /** {@return the object as it is given, with its namespace} */
  static GenericKubernetesResource given(Manifest manifest) {
    GenericKubernetesResource object = manifest.as(GenericKubernetesResource.class);
    object.setMetadata(
        new ObjectMetaBuilder(Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new))
            .withNamespace(manifest.namespace().orElse(null))
            .build());
    return object;
  }

  private static ObjectMeta metadata(Manifest manifest, ConfigObject object) {
    ObjectMetaBuilder metadata = new ObjectMetaBuilder()
        .withName(manifest.name().orElse(""))
        .withNamespace(manifest.namespace().orElse(null));
    if (object instanceof ClusterQueue queue) {
      queue
          .backfillDepth()
          .ifPresent(depth -> metadata.addToAnnotations(
              BackfillAnnotations.BACKFILL_DEPTH, BackfillAnnotations.depthText(depth)));
    }
    // The first versions kept the labels of nodes there.
    return object instanceof ResourceFlavor || manifest.labels().isEmpty()
        ? metadata.build()
        : metadata.withLabels(manifest.labels()).build();
  }

  private static Map<String, Object> spec(ConfigObject object) {
    ImmutableMap.Builder<String, Object> spec = ImmutableMap.builder();
    if (object instanceof ClusterQueue queue) {
      put(queue, spec);
    } else if (object instanceof LocalQueue queue) {
      spec.put("clusterQueue", queue.clusterQueue());
      spec.put("stopPolicy", queue.stopPolicy().toString());
      putFairSharing(queue.fairSharingWeight(), spec);
    } else if (object instanceof Cohort cohort) {
      cohort.parent().ifPresent(parent -> spec.put("parentName", parent));
      spec.put("resourceGroups", groups(cohort.resourceGroups()));
      putFairSharing(cohort.fairSharingWeight(), spec);
    } else if (object instanceof ResourceFlavor flavor) {
      put(flavor, spec);
    } else if (object instanceof Topology topology) {
      spec.put(
          "levels",
          topology.levels().stream()
              .map(level -> ImmutableMap.of("nodeLabel", level))
              .collect(toImmutableList()));
    } else if (object instanceof AdmissionCheck check) {
      spec.put("controllerName", check.controllerName());
    }
    return spec.buildOrThrow();
  }

  private static void put(ClusterQueue queue, ImmutableMap.Builder<String, Object> spec) {
    queue.cohort().ifPresent(cohort -> spec.put("cohortName", cohort));
    queue
        .namespaceSelector()
        .ifPresent(selector -> spec.put("namespaceSelector", selector(selector)));
    spec.put("queueingStrategy", queue.queueingStrategy().toString());
    spec.put("resourceGroups", groups(queue.resourceGroups()));
    spec.put("flavorFungibility", fungibility(queue.flavorFungibility()));
    spec.put("preemption", preemption(queue.preemption()));
    if (!queue.admissionChecks().isEmpty()) {
      spec.put(
          "admissionChecksStrategy",
          ImmutableMap.of(
              "admissionChecks",
              queue.admissionChecks().stream()
                  .map(rule -> ImmutableMap.of("name", rule.name(), "onFlavors", rule.onFlavors()))
                  .collect(toImmutableList())));
    }
    spec.put("stopPolicy", queue.stopPolicy().toString());
    putFairSharing(queue.fairSharingWeight(), spec);
    if (queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING) {
      spec.put(
          "admissionScope",
          ImmutableMap.of("admissionMode", queue.admissionMode().toString()));
    }
  }

  private static void putFairSharing(double weight, ImmutableMap.Builder<String, Object> spec) {
    if (weight != 1) {
      String text = BigDecimal.valueOf(weight).toPlainString();
      spec.put("fairSharing", ImmutableMap.of("weight", text));
    }
  }

  private static Map<String, Object> selector(LabelSelector selector) {
    ImmutableMap.Builder<String, Object> fields = ImmutableMap.builder();
    if (!selector.matchLabels().isEmpty()) {
      fields.put("matchLabels", selector.matchLabels());
    }
    if (!selector.matchExpressions().isEmpty()) {
      fields.put(
          "matchExpressions",
          selector.matchExpressions().stream()
              .map(requirement -> ImmutableMap.of(
                  "key",
                  requirement.key(),
                  "operator",
                  requirement.operator().toString(),
                  "values",
                  requirement.values()))
              .collect(toImmutableList()));
    }
    return fields.buildOrThrow();
  }

  private static Map<String, Object> fungibility(FlavorFungibility fungibility) {
    ImmutableMap.Builder<String, Object> fields = ImmutableMap.builder();
    fields
        .put("whenCanBorrow", fungibility.whenCanBorrow().toString())
        .put("whenCanPreempt", fungibility.whenCanPreempt().toString());
    fungibility
        .preference()
        .ifPresent(preference -> fields.put("preference", preference.toString()));
    return fields.buildOrThrow();
  }

  private static Map<String, Object> preemption(Preemption preemption) {
    ImmutableMap.Builder<String, Object> borrowing = ImmutableMap.builder();
    borrowing.put("policy", preemption.borrowWithinCohort().toString());
    preemption
        .maxPriorityThreshold()
        .ifPresent(threshold -> borrowing.put("maxPriorityThreshold", threshold));
    return ImmutableMap.of(
        "withinClusterQueue", preemption.withinClusterQueue().toString(),
        "reclaimWithinCohort", preemption.reclaimWithinCohort().toString(),
        "borrowWithinCohort", borrowing.buildOrThrow());
  }

  private static ImmutableList<Object> groups(List<ResourceGroup> groups) {
    return groups.stream()
        .map(group -> ImmutableMap.of(
            "coveredResources",
            group.coveredResources(),
            "flavors",
            group.flavors().stream().map(ConfigurationWriter::flavor).collect(toImmutableList())))
        .collect(toImmutableList());
  }

  private static Map<String, Object> flavor(FlavorQuotas flavor) {
    return ImmutableMap.of(
        "name",
        flavor.flavor(),
        "resources",
        flavor.resources().stream().map(ConfigurationWriter::quota).collect(toImmutableList()));
  }

  private static Map<String, Object> quota(ResourceQuota quota) {
    ImmutableMap.Builder<String, Object> fields = ImmutableMap.builder();
    fields
        .put("name", quota.resource())
        .put("nominalQuota", ResourceLists.quantity(quota.resource(), quota.nominalQuota()));
    putLimit("borrowingLimit", quota.borrowingLimit(), quota, fields);
    putLimit("lendingLimit", quota.lendingLimit(), quota, fields);
    return fields.buildOrThrow();
  }

  private static void putLimit(
      String field,
      OptionalLong limit,
      ResourceQuota quota,
      ImmutableMap.Builder<String, Object> fields) {
    limit.ifPresent(amount -> fields.put(field, ResourceLists.quantity(quota.resource(), amount)));
  }

  private static void put(ResourceFlavor flavor, ImmutableMap.Builder<String, Object> spec) {
    if (!flavor.nodeLabels().isEmpty()) {
      spec.put("nodeLabels", flavor.nodeLabels());
    }
    if (!flavor.nodeTaints().isEmpty()) {
      spec.put(
          "nodeTaints",
          flavor.nodeTaints().stream()
              .map(taint -> ImmutableMap.of(
                  "key",
                  taint.key(),
                  "value",
                  taint.value(),
                  "effect",
                  taint.effect().toString()))
              .collect(toImmutableList()));
    }
    if (!flavor.tolerations().isEmpty()) {
      spec.put(
          "tolerations",
          flavor.tolerations().stream()
              .map(toleration -> {
                ImmutableMap.Builder<String, Object> fields = ImmutableMap.builder();
                fields
                    .put("key", toleration.key())
                    .put("operator", toleration.operator().toString())
                    .put("value", toleration.value());
                toleration.effect().ifPresent(effect -> fields.put("effect", effect.toString()));
                toleration
                    .tolerationSeconds()
                    .ifPresent(seconds -> fields.put("tolerationSeconds", seconds));
                return fields.buildOrThrow();
              })
              .collect(toImmutableList()));
    }
    flavor.topologyName().ifPresent(topology -> spec.put("topologyName", topology));
  }
}
