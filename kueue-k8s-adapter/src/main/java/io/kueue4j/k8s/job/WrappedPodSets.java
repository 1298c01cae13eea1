package io.kueue4j.k8s.job;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the pod sets in a component of an AppWrapper: the pod sets that it declares, otherwise the
 * pod sets of the kind of the wrapped object; an unknown kind has none.
 */
final class WrappedPodSets {
  private static final Splitter DOT = Splitter.on('.');
  private static final String POD_INDEX = "workload.codeflare.dev.appwrapper/tas-pod-index-label";
  private static final String SUB_GROUP_INDEX =
      "workload.codeflare.dev.appwrapper/tas-sub-group-index-label";
  private static final String SUB_GROUP_COUNT =
      "workload.codeflare.dev.appwrapper/tas-sub-group-count";
  private static final String REPLICA_INDEX = "training.kubeflow.org/replica-index";

  private static final ImmutableMap<String, ImmutableList<DeclaredPodSet>> KNOWN =
      ImmutableMap.<String, ImmutableList<DeclaredPodSet>>builder()
          .put("apps/v1 Deployment", replicas("spec"))
          .put("apps/v1 StatefulSet", replicas("spec"))
          .put(
              "kubeflow.org/v1 PyTorchJob",
              ImmutableList.of(
                  replicated("spec.pytorchReplicaSpecs.Master"),
                  replicated("spec.pytorchReplicaSpecs.Worker")))
          .put("ray.io/v1 RayCluster", ray("spec"))
          .put("ray.io/v1 RayJob", ray("spec.rayClusterSpec"))
          .build();

  private WrappedPodSets() {}

  /** {@return the pod sets, whose names have no meaning} */
  static List<JobPodSet> read(JobFields fields, RawPath component) {
    RawPath declared = component.field("podSets");
    ImmutableList.Builder<JobPodSet> podSets = ImmutableList.builder();
    int count = fields.items(declared).size();
    for (int i = 0; i < count; i++) {
      podSets.add(declared(fields, component, declared.item(i)));
    }
    return count > 0 ? podSets.build() : inferred(fields, component.field("template"));
  }

  private static List<JobPodSet> inferred(JobFields fields, RawPath wrapped) {
    String kind = fields.text(wrapped.field("apiVersion")).orElse("") + " "
        + fields.text(wrapped.field("kind")).orElse("");
    return switch (kind) {
      case "v1 Pod" -> ImmutableList.of(podSet(fields, wrapped, 1));
      case "batch/v1 Job" -> ImmutableList.of(job(fields, wrapped.field("spec")));
      case "jobset.x-k8s.io/v1alpha2 JobSet" -> jobs(fields, wrapped.fields("spec.replicatedJobs"));
      default ->
        KNOWN.getOrDefault(kind, ImmutableList.of()).stream()
            .flatMap(podSet -> podSet.read(fields, wrapped).stream())
            .map(PlacedPodSet::podSet)
            .collect(ImmutableList.toImmutableList());
    };
  }

  private static JobPodSet job(JobFields fields, RawPath spec) {
    return podSet(fields, spec.field("template"), podsOfJob(fields, spec))
        .withIndex(JobPodSet.Index.of(BatchJobKind.COMPLETION_INDEX));
  }

  private static List<JobPodSet> jobs(JobFields fields, RawPath list) {
    ImmutableList.Builder<JobPodSet> podSets = ImmutableList.builder();
    int count = fields.items(list).size();
    for (int i = 0; i < count; i++) {
      RawPath spec = list.item(i).fields("template.spec");
      int replicas = fields.count(list.item(i).field("replicas")).orElse(1);
      int pods = fields.product(list.item(i).field("replicas"), replicas, podsOfJob(fields, spec));
      podSets.add(podSet(fields, spec.field("template"), pods)
          .withIndex(JobPodSet.Index.ofSubGroups(
              BatchJobKind.COMPLETION_INDEX, JobSetKind.JOB_INDEX, replicas)));
    }
    return podSets.build();
  }

  private static int podsOfJob(JobFields fields, RawPath spec) {
    int parallelism = fields.count(spec.field("parallelism")).orElse(1);
    return Math.min(parallelism, fields.count(spec.field("completions")).orElse(parallelism));
  }

  private static JobPodSet declared(JobFields fields, RawPath component, RawPath podSet) {
    RawPath pathField = podSet.field("path");
    String path = fields.text(pathField).orElse("");
    RawPath template = template(fields, component, pathField, path);
    JobPodSet read =
        podSet(fields, template, fields.count(podSet.field("replicas")).orElse(1));
    ImmutableMap<String, String> annotations =
        ImmutableMap.copyOf(fields.texts(podSet.field("annotations")));
    String podIndex = annotations.get(POD_INDEX);
    if (podIndex == null) {
      return read;
    }
    String group = annotations.get(SUB_GROUP_INDEX);
    Integer groups = Ints.tryParse(annotations.getOrDefault(SUB_GROUP_COUNT, ""));
    return read.withIndex(new JobPodSet.Index(
        podIndex,
        Optional.ofNullable(group),
        groups == null ? OptionalInt.empty() : OptionalInt.of(groups)));
  }

  /** {@return the path of a template that is given as {@code template.spec.groups[0].template}} */
  private static RawPath template(
      JobFields fields, RawPath component, RawPath pathField, String path) {
    RawPath template = component;
    for (String step : DOT.split(path)) {
      int bracket = step.indexOf('[');
      template = template.field(bracket < 0 ? step : step.substring(0, bracket));
      Integer index = bracket < 0 || !step.endsWith("]")
          ? null
          : Ints.tryParse(step.substring(bracket + 1, step.length() - 1));
      if (bracket >= 0 && (index == null || index < 0 || CharMatcher.is('[').countIn(step) > 1)) {
        fields.problem(
            pathField,
            "\"" + path + "\"; expected a path such as template.spec.groups[0].template");
        return component.field("template");
      }
      template = index == null ? template : template.item(index);
    }
    boolean inside = path.equals("template") || path.startsWith("template.");
    if (!inside || !fields.isWritten(template)) {
      fields.problem(
          pathField,
          "\"" + path + "\" leads to nothing; expected the path of a pod template, beginning with"
              + " template");
    }
    return template;
  }

  private static JobPodSet podSet(JobFields fields, RawPath template, int count) {
    return JobPodSet.of("pods", template.text(), fields.template(template), count);
  }

  private static ImmutableList<DeclaredPodSet> replicas(String spec) {
    return ImmutableList.of(
        DeclaredPodSet.of("pods", spec + ".template").count(spec + ".replicas", 1));
  }

  private static DeclaredPodSet replicated(String entry) {
    return DeclaredPodSet.of("pods", entry + ".template")
        .count(entry + ".replicas", 1)
        .onlyIf(entry)
        .index(REPLICA_INDEX);
  }

  private static ImmutableList<DeclaredPodSet> ray(String spec) {
    return ImmutableList.of(
        DeclaredPodSet.of("pods", spec + ".headGroupSpec.template"),
        DeclaredPodSet.each(spec + ".workerGroupSpecs", "groupName", "template")
            .count("replicas", 1));
  }
}
