package io.kueue4j.k8s.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Short forms of the objects that tests of pods need. */
final class Pods {
  static final String NAMESPACE = "team-a";

  private Pods() {}

  /** Quantities by resource: {@code list("cpu", "1", "memory", "1Gi")}. */
  static Map<String, Quantity> list(String... resourcesAndTexts) {
    Map<String, Quantity> list = new LinkedHashMap<>();
    for (int i = 0; i < resourcesAndTexts.length; i += 2) {
      list.put(resourcesAndTexts[i], new Quantity(resourcesAndTexts[i + 1]));
    }
    return list;
  }

  static Container requesting(String... resourcesAndTexts) {
    return container(list(resourcesAndTexts), Map.of());
  }

  static Container container(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    return new ContainerBuilder()
        .withName("c")
        .withNewResources()
        .withRequests(requests)
        .withLimits(limits)
        .endResources()
        .build();
  }

  static Container sidecar(String... resourcesAndTexts) {
    return new ContainerBuilder(requesting(resourcesAndTexts))
        .withRestartPolicy("Always")
        .build();
  }

  static PodTemplateSpec pod(Container... containers) {
    return new PodTemplateSpecBuilder()
        .withNewSpec()
        .withContainers(containers)
        .endSpec()
        .build();
  }

  static PodTemplateSpec pod(PodSpec spec) {
    return new PodTemplateSpec(null, spec);
  }

  /** The template as if it were of a Job in the namespace of the tests. */
  static PodTemplates.Located located(PodTemplateSpec template) {
    return new PodTemplates.Located("Job team-a/train", NAMESPACE, "spec.template", template);
  }

  static LimitRange limitRange(LimitRangeItem... items) {
    return new LimitRangeBuilder()
        .withNewMetadata()
        .withName("limits")
        .endMetadata()
        .withNewSpec()
        .withLimits(items)
        .endSpec()
        .build();
  }

  static RuntimeClass runtimeClass(String name, Map<String, Quantity> overhead) {
    return new RuntimeClassBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewOverhead()
        .withPodFixed(overhead)
        .endOverhead()
        .build();
  }
}
