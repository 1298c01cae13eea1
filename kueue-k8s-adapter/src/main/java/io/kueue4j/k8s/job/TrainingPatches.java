package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The patch of a runtime by which a TrainJob gives its pods what a start says. */
final class TrainingPatches {
  private TrainingPatches() {}

  /** {@return a list of jobs without anything but names} */
  static List<Object> named(ImmutableList<TrainingPods.Replicated> jobs) {
    List<Object> named = new ArrayList<>();
    for (TrainingPods.Replicated job : jobs) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("name", job.name());
      named.add(item);
    }
    return named;
  }

  /** {@return Kueue's patch of these jobs} */
  static Object of(List<Object> jobs) {
    Object patch = RawTree.with(Map.of(), RawPath.of("manager"), TrainJobKind.MANAGER);
    return RawTree.with(
        patch, RawPath.of("trainingRuntimeSpec.template.spec.replicatedJobs"), jobs);
  }

  /** {@return the tolerations of a patch that the runtime does not have} */
  static ImmutableList<Toleration> added(JobFields fields, RawPath path, PodTemplateSpec base) {
    List<Toleration> present = base.getSpec() == null || base.getSpec().getTolerations() == null
        ? List.of()
        : base.getSpec().getTolerations();
    return fields.objects(path, Toleration.class).stream()
        .filter(toleration -> !present.contains(toleration))
        .collect(ImmutableList.toImmutableList());
  }
}
