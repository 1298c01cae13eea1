package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableTable;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.internal.dra.DeviceCharges;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads {@code Workload.spec}. Rules: R-9, M-21, M-25, M-28, M-33, L-21, L-25. */
final class WorkloadSpecReader {
  private enum ClassKind {
    WORKLOAD,
    POD
  }

  private static final ImmutableTable<String, String, ClassKind> CLASS_KINDS =
      ImmutableTable.<String, String, ClassKind>builder()
          .put("kueue.x-k8s.io", "WorkloadPriorityClass", ClassKind.WORKLOAD)
          .put("scheduling.k8s.io", "PriorityClass", ClassKind.POD)
          .build();
  private static final ImmutableMap<String, ClassKind> CLASS_SOURCES = ImmutableMap.of(
      "kueue.x-k8s.io/workloadpriorityclass", ClassKind.WORKLOAD,
      "scheduling.k8s.io/priorityclass", ClassKind.POD);

  private final Fields spec;
  private final KueueApiVersion version;
  private final Manifest manifest;
  private final PodTemplates templates;
  private final Function<PodTemplates.Located, DeviceCharges> devices;
  private final Issues issues;
  private final Map<String, Integer> counts = new LinkedHashMap<>();

  WorkloadSpecReader(
      Fields spec,
      KueueApiVersion version,
      Manifest manifest,
      PodTemplates templates,
      Function<PodTemplates.Located, DeviceCharges> devices,
      Issues issues) {
    this.spec = spec;
    this.version = version;
    this.manifest = manifest;
    this.templates = templates;
    this.devices = devices;
    this.issues = issues;
  }

  /** {@return the number of pods of each pod set} */
  Map<String, Integer> counts() {
    return counts;
  }

  void read(Workload.Builder workload) {
    workload.queueName(spec.requiredText("queueName"));
    spec.integer("priority").ifPresent(workload::priority);
    spec.flag("active").ifPresent(workload::active);
    Optional<ClassKind> classKind = version == KueueApiVersion.V1BETA2
        ? priorityClassRef(workload)
        : priorityClassName(workload);
    if (classKind.isPresent() && !spec.has("priority")) {
      spec.missing("priority", "the value of the priority class");
    }
    maximumExecutionTime().ifPresent(workload::maximumExecutionTime);
    for (Fields gate : spec.objects("preemptionGates")) {
      workload.addAllPreemptionGates(ImmutableList.of(gate.requiredText("name")));
    }
    for (Fields podSet : spec.objects("podSets")) {
      podSet(podSet, workload).ifPresent(builder -> workload.addPodSets(builder.build()));
    }
    if (!spec.has("podSets")) {
      spec.missing("podSets", "at least one pod set");
    }
  }

  private Optional<Duration> maximumExecutionTime() {
    OptionalInt seconds = spec.integer("maximumExecutionTimeSeconds");
    if (seconds.isPresent() && seconds.getAsInt() < 1) {
      spec.problem(
          "maximumExecutionTimeSeconds", seconds.getAsInt() + "; expected 1 second or more");
      return Optional.empty();
    }
    return seconds.stream().mapToObj(Duration::ofSeconds).findFirst();
  }

  private Optional<ClassKind> priorityClassRef(Workload.Builder workload) {
    Fields reference = spec.object("priorityClassRef");
    if (!reference.isPresent()) {
      return Optional.empty();
    }
    String group = reference.requiredText("group");
    String kind = reference.requiredText("kind");
    String name = reference.requiredText("name");
    Optional<ClassKind> classKind = Optional.ofNullable(CLASS_KINDS.get(group, kind));
    if (classKind.isEmpty() && !group.isEmpty() && !kind.isEmpty()) {
      spec.problem(
          "priorityClassRef",
          kind + " of " + group + "; expected WorkloadPriorityClass of kueue.x-k8s.io or "
              + "PriorityClass of scheduling.k8s.io");
    }
    set(classKind, name, workload);
    return classKind;
  }

  private Optional<ClassKind> priorityClassName(Workload.Builder workload) {
    Optional<String> name = spec.text("priorityClassName").filter(text -> !text.isEmpty());
    Optional<String> source = spec.text("priorityClassSource").filter(text -> !text.isEmpty());
    if (name.isPresent() && source.isEmpty()) {
      spec.note("priorityClassName", "passed over: there is no priorityClassSource");
    }
    if (name.isEmpty() || source.isEmpty()) {
      return Optional.empty();
    }
    Optional<ClassKind> classKind = spec.choice("priorityClassSource", CLASS_SOURCES);
    set(classKind, name.get(), workload);
    return classKind;
  }

  /**
   * Sets the class of the priority. The value of a pod priority class never changes, so the class
   * itself does not matter.
   */
  private static void set(Optional<ClassKind> kind, String name, Workload.Builder workload) {
    if (kind.equals(Optional.of(ClassKind.WORKLOAD)) && !name.isEmpty()) {
      workload.priorityClass(name);
    }
  }

  private Optional<PodSet.Builder> podSet(Fields podSet, Workload.Builder workload) {
    String name = podSet.text("name").filter(text -> !text.isEmpty()).orElse("main");
    int count = podSet.integer("count").orElse(1);
    counts.put(name, count);
    Fields topology = podSet.object("topologyRequest");
    Optional<String> group = topology.text("podSetGroupName").filter(text -> !text.isEmpty());
    TopologyRequest topologyRequest = TopologyRequestReader.read(topology);
    Optional<YamlNode> template = podSet.value("template");
    if (template.isEmpty()) {
      podSet.missing("template", "a pod template");
      return Optional.empty();
    }
    return template(podSet, template.get(), workload)
        .map(builder -> builder
            .name(name)
            .count(count)
            .minCount(podSet.integer("minCount"))
            .group(group)
            .topologyRequest(topologyRequest));
  }

  /** Reads a template, and what is wrong with its pods if Kueue tries the workload. */
  private Optional<PodSet.Builder> template(
      Fields podSet, YamlNode node, Workload.Builder workload) {
    String path = podSet.path("template");
    ObjectBinder.check(node, PodTemplateSpec.class, path, issues);
    if (issues.hasProblems()) {
      return Optional.empty();
    }
    try {
      Optional<PodTemplates.Located> template = ObjectBinder.bind(
              node, PodTemplateSpec.class, path, issues)
          .map(bound -> new PodTemplates.Located(
              manifest.toString(), manifest.namespace().orElse(""), path, bound));
      return template.map(located -> {
        DeviceCharges charges = devices.apply(located);
        workload
            .addAllAdmissibilityProblems(templates.admissibilityProblems(located))
            .addAllAdmissibilityProblems(charges.problems());
        return charges.addTo(templates.convert(located));
      });
    } catch (InvalidConfigurationException e) {
      e.violations()
          .forEach(violation -> issues.problem(node, violation.field(), violation.problem()));
      return Optional.empty();
    }
  }
}
