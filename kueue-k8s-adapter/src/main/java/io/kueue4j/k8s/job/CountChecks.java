package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.kueue4j.core.model.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds numbers of pods and jobs that the API server would reject, with their fields. */
final class CountChecks {
  private final String object;
  private final ImmutableList.Builder<Violation> found = ImmutableList.builder();

  CountChecks(String object) {
    this.object = object;
  }

  void addJob(String path, @Nullable JobSpec spec) {
    if (spec != null) {
      addNumber(path + ".parallelism", spec.getParallelism());
      addNumber(path + ".completions", spec.getCompletions());
    }
  }

  void addNumber(String path, @Nullable Integer number) {
    if (number != null && number < 0) {
      add(path, number + "; expected 0 or more");
    }
  }

  void addProduct(String path, int groups, int pods) {
    PodCounts.problem(groups, pods).ifPresent(problem -> add(path, problem));
  }

  void add(String path, String problem) {
    found.add(new Violation(object, path, problem));
  }

  List<Violation> violations() {
    return found.build();
  }
}
