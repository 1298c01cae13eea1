package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The pods that Spark's operator creates from the fields of a driver or of the executors, as far as
 * admission reads them: resources, scheduling constraints, containers. Of the operator's own
 * template only the metadata counts, as upstream.
 */
final class SparkPods {
  /** Java's units of memory and their names in Kubernetes. */
  private static final ImmutableMap<String, String> UNITS = ImmutableMap.<String, String>builder()
      .put("kb", "Ki")
      .put("mb", "Mi")
      .put("gb", "Gi")
      .put("tb", "Ti")
      .put("pb", "Pi")
      .put("k", "Ki")
      .put("m", "Mi")
      .put("g", "Gi")
      .put("t", "Ti")
      .put("p", "Pi")
      .build();

  private static final RawPath SELECTOR = RawPath.of("spec.nodeSelector");

  private SparkPods() {}

  static PodTemplateSpec template(
      JobFields fields, String roleName, String container, Settings settings) {
    RawPath role = RawPath.of("spec." + roleName);
    RawPath template = role.field("template");
    ObjectMeta metadata =
        Objects.requireNonNullElseGet(fields.template(template).getMetadata(), ObjectMeta::new);
    Map<String, String> selector = fields.texts(SELECTOR);
    if (settings.includes(KueueFix.SPARK_NODE_SELECTOR) || !fields.isWritten(SELECTOR)) {
      selector.putAll(fields.texts(role.field("nodeSelector")));
    }
    Map<String, Quantity> requests = settings.includes(KueueFix.SPARK_REQUESTS)
        ? new SparkRequests(fields, roleName).read()
        : statedRequests(fields, role);
    PodSpecBuilder spec = new PodSpecBuilder()
        .withContainers(main(fields, role, container, requests))
        .addAllToContainers(fields.objects(role.field("sidecars"), Container.class))
        .withInitContainers(fields.objects(role.field("initContainers"), Container.class))
        .withNodeSelector(selector)
        .withTolerations(fields.objects(role.field("tolerations"), Toleration.class))
        .withAffinity(fields.object(role.field("affinity"), Affinity.class).orElse(null))
        .withPriorityClassName(fields.text(role.field("priorityClassName")).orElse(null))
        .withSchedulingGates(
            fields.objects(template.fields("spec.schedulingGates"), PodSchedulingGate.class));
    return new PodTemplateSpecBuilder()
        .withMetadata(new ObjectMetaBuilder(metadata)
            .addToLabels(fields.texts(role.field("labels")))
            .addToAnnotations(fields.texts(role.field("annotations")))
            .build())
        .withSpec(spec.build())
        .build();
  }

  /** {@return the requests before Kueue 0.19.7: those that the application states} */
  private static Map<String, Quantity> statedRequests(JobFields fields, RawPath role) {
    Map<String, Quantity> requests = new LinkedHashMap<>();
    amount(fields, role.field("coreRequest"), "cpu", requests);
    amount(fields, role.field("memory"), "memory", requests);
    return requests;
  }

  private static Container main(
      JobFields fields, RawPath role, String name, Map<String, Quantity> requests) {
    Map<String, Quantity> limits = new LinkedHashMap<>();
    amount(fields, role.field("coreLimit"), "cpu", limits);
    amount(fields, role.field("memoryLimit"), "memory", limits);
    fields.text(role.fields("gpu.name")).filter(gpu -> !gpu.isEmpty()).ifPresent(gpu -> {
      int quantity = fields.count(role.fields("gpu.quantity")).orElse(0);
      if (quantity > 0) {
        limits.put(gpu, new Quantity(BigInteger.valueOf(quantity).toString()));
      }
    });
    return new ContainerBuilder()
        .withName(name)
        .withNewResources()
        .withRequests(requests)
        .withLimits(limits)
        .endResources()
        .build();
  }

  private static void amount(
      JobFields fields, RawPath path, String resource, Map<String, Quantity> amounts) {
    fields.text(path).ifPresent(text -> {
      String amount = resource.equals("memory") ? kubernetesMemory(text) : text;
      try {
        BigDecimal unused = io.kueue4j.core.resource.Quantity.parse(amount);
        amounts.put(resource, new Quantity(amount));
      } catch (IllegalArgumentException e) {
        fields.problem(path, String.valueOf(e.getMessage()));
      }
    });
  }

  /** {@return an amount of memory from Java's notation in Kubernetes' notation} */
  static String kubernetesMemory(String text) {
    String memory = Ascii.toLowerCase(text.strip());
    return UNITS.entrySet().stream()
        .filter(unit -> memory.endsWith(unit.getKey()))
        .findFirst()
        .map(
            unit -> memory.substring(0, memory.length() - unit.getKey().length()) + unit.getValue())
        .orElse(text.strip());
  }
}
