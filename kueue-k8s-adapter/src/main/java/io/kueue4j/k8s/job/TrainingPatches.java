package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The patch of a runtime in a TrainJob that carries the additions of a start. */
final class TrainingPatches {
  private TrainingPatches() {}

  /**
   * {@return the names of the jobs in Kueue's patch: those that it contains, in its order, then the
   * others of {@code jobs}}
   */
  static List<String> order(List<?> patched, ImmutableList<TrainingPods.Replicated> jobs) {
    List<String> names = new ArrayList<>();
    for (Object item : patched) {
      names.add(RawTree.mapping(item).get("name") instanceof String name ? name : "");
    }
    jobs.stream()
        .map(TrainingPods.Replicated::name)
        .filter(name -> !names.contains(name))
        .forEach(names::add);
    return names;
  }

  /** {@return a list of jobs with only names} */
  static List<Object> named(List<String> names) {
    List<Object> named = new ArrayList<>();
    for (String name : names) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("name", name);
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
}
