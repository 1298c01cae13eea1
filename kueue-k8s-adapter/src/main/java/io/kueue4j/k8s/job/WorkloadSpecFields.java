package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The fields of {@code Workload.spec}. Rules: M-24, M-28, M-33, T-16, T-90, J-20. */
record WorkloadSpecFields(KueueApiVersion version, Workload workload) {
  private static final RawPath METADATA = RawPath.of("metadata");

  /**
   * Label on pods that the job's own controller sets, and that is nevertheless part of the workload
   * (3.6).
   */
  private static final String JOB_NAME = "batch.kubernetes.io/job-name";

  /** {@return the whole spec, with the templates of {@code podSets}} */
  Map<String, Object> write(
      List<JobPodSet> podSets, Set<String> managedLabels, Optional<String> podPriorityClass) {
    ImmutableMap<String, JobPodSet> byName = Maps.uniqueIndex(podSets, JobPodSet::name);
    List<Object> written = new ArrayList<>();
    for (PodSet podSet : workload.podSets()) {
      JobPodSet known = byName.get(podSet.name());
      if (known == null) {
        throw new IllegalArgumentException("workload " + workload.id() + " has the pod set "
            + podSet.name() + ", expected one of its job: " + byName.keySet());
      }
      written.add(podSet(podSet, template(known, managedLabels)));
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("podSets", written);
    spec.put("queueName", workload.queueName());
    workload
        .priorityClass()
        .ifPresentOrElse(
            name -> putClass(spec, "kueue.x-k8s.io", "WorkloadPriorityClass", name),
            () -> podPriorityClass.ifPresent(
                name -> putClass(spec, "scheduling.k8s.io", "PriorityClass", name)));
    spec.put("priority", workload.priority());
    spec.put("active", workload.active());
    workload
        .maximumExecutionTime()
        .ifPresent(time -> spec.put("maximumExecutionTimeSeconds", (int) time.toSeconds()));
    return spec;
  }

  /** {@return a spec with the fields updated that may change while the workload exists} */
  Map<String, Object> update(Map<String, Object> spec) {
    Map<String, Object> updated = new LinkedHashMap<>(spec);
    updated.put("queueName", workload.queueName());
    updated.put("priority", workload.priority());
    // An absent field means active.
    if (!workload.active() || updated.containsKey("active")) {
      updated.put("active", workload.active());
    }
    updated.remove("maximumExecutionTimeSeconds");
    workload
        .maximumExecutionTime()
        .ifPresent(time -> updated.put("maximumExecutionTimeSeconds", (int) time.toSeconds()));
    ImmutableMap<String, PodSet> byName = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    List<Object> podSets = new ArrayList<>();
    for (Object item : Objects.requireNonNullElse((List<?>) updated.get("podSets"), List.of())) {
      Map<String, Object> podSet = RawTree.mapping(item);
      PodSet known = byName.get(Objects.requireNonNullElse(podSet.get("name"), "main"));
      if (known != null) {
        podSet.put("count", known.count());
      }
      podSets.add(podSet);
    }
    if (!podSets.isEmpty()) {
      updated.put("podSets", podSets);
    }
    return updated;
  }

  private void putClass(Map<String, Object> spec, String group, String kind, String name) {
    if (version == KueueApiVersion.V1BETA1) {
      spec.put("priorityClassName", name);
      spec.put("priorityClassSource", group + "/" + Ascii.toLowerCase(kind));
    } else {
      spec.put("priorityClassRef", ImmutableMap.of("group", group, "kind", kind, "name", name));
    }
  }

  private Object podSet(PodSet podSet, Object template) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", podSet.name());
    fields.put("template", template);
    fields.put("count", podSet.count());
    podSet.minCount().ifPresent(count -> fields.put("minCount", count));
    Map<String, Object> topology = topology(podSet);
    if (!topology.isEmpty()) {
      fields.put("topologyRequest", topology);
    }
    return fields;
  }

  private Map<String, Object> topology(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    Map<String, Object> fields = new LinkedHashMap<>();
    request.required().ifPresent(level -> fields.put("required", level));
    request.preferred().ifPresent(level -> fields.put("preferred", level));
    request.unconstrained().ifPresent(free -> fields.put("unconstrained", free));
    request.podIndexLabel().ifPresent(label -> fields.put("podIndexLabel", label));
    request.subGroupIndexLabel().ifPresent(label -> fields.put("subGroupIndexLabel", label));
    request.subGroupCount().ifPresent(count -> fields.put("subGroupCount", count));
    podSet.group().ifPresent(group -> fields.put("podSetGroupName", group));
    request.sliceTopology().ifPresent(level -> fields.put("podSetSliceRequiredTopology", level));
    request.sliceSize().ifPresent(size -> fields.put("podSetSliceSize", size));
    if (version == KueueApiVersion.V1BETA2 && !request.sliceConstraints().isEmpty()) {
      List<Object> constraints = new ArrayList<>();
      request
          .sliceConstraints()
          .forEach(each ->
              constraints.add(ImmutableMap.of("topology", each.topology(), "size", each.size())));
      fields.put("podsetSliceRequiredTopologyConstraints", constraints);
    }
    return fields;
  }

  /** {@return the template with labels and annotations as its only metadata} */
  private static Object template(JobPodSet podSet, Set<String> managedLabels) {
    Map<String, Object> template = RawTree.mapping(RawValues.of(podSet.template()));
    Map<String, Object> given = RawTree.mapping(RawTree.get(template, METADATA));
    Map<String, Object> metadata = new LinkedHashMap<>();
    Map<String, Object> labels = RawTree.mapping(given.get("labels"));
    labels.keySet().removeIf(key -> managedLabels.contains(key) && !key.equals(JOB_NAME));
    putUnlessEmpty(metadata, "labels", labels);
    putUnlessEmpty(metadata, "annotations", RawTree.mapping(given.get("annotations")));
    template.remove("metadata");
    putUnlessEmpty(template, "metadata", metadata);
    Map<String, Object> spec = RawTree.mapping(template.get("spec"));
    for (String field : ImmutableList.of("initContainers", "containers")) {
      if (spec.get(field) instanceof List<?> containers) {
        spec.put(
            field, containers.stream().map(WorkloadSpecFields::withEachNameOnce).toList());
      }
    }
    template.put("spec", spec);
    return template;
  }

  /**
   * Keeps the last of several environment variables with the same name, as the container runtime
   * does.
   */
  private static Object withEachNameOnce(Object container) {
    Map<String, Object> fields = RawTree.mapping(container);
    if (fields.get("env") instanceof List<?> variables) {
      Map<Object, Object> byName = new LinkedHashMap<>();
      for (Object variable : variables) {
        byName.put(Objects.requireNonNullElse(RawTree.mapping(variable).get("name"), ""), variable);
      }
      fields.put("env", new ArrayList<>(byName.values()));
    }
    return fields;
  }

  private static void putUnlessEmpty(
      Map<String, Object> fields, String name, Map<String, Object> value) {
    if (!value.isEmpty()) {
      fields.put(name, value);
    }
  }
}
