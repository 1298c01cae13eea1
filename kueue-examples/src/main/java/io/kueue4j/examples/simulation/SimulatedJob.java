package io.kueue4j.examples.simulation;

import com.google.common.base.Joiner;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.List;
import java.util.SortedMap;

/**
 * A job to be admitted.
 *
 * @param manifest its manifest
 * @param name its name, generated if the manifest has only a {@code generateName}
 * @param workload its workload
 * @param reclaimablePods the number of pods that have ended, by pod set
 */
public record SimulatedJob(
    Manifest manifest, String name, Workload workload, SortedMap<String, Integer> reclaimablePods) {
  /** An error names so many jobs at most. */
  private static final int MAX_NAMED = 10;

  /** {@return the namespace} */
  public String namespace() {
    return workload.namespace();
  }

  /** {@return the same job under another name, which its workload has, too} */
  public SimulatedJob named(String other) {
    return new SimulatedJob(
        manifest, other, Workload.builder().from(workload).name(other).build(), reclaimablePods);
  }

  /** {@return whether {@code text} is its name or {@code namespace/name}} */
  public boolean isCalled(String text) {
    return text.equals(name) || text.equals(namespace() + "/" + name);
  }

  /** {@return a clause that names jobs, for the error that another one does not exist} */
  public static String existing(List<SimulatedJob> jobs) {
    if (jobs.isEmpty()) {
      return "there is none";
    }
    int more = jobs.size() - MAX_NAMED;
    return "there are "
        + Joiner.on(", ")
            .join(jobs.stream().limit(MAX_NAMED).map(SimulatedJob::name).iterator())
        + (more > 0 ? " and " + more + " more" : "");
  }
}
