package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The parts of a job that its workload depends on: after a change of these, the job no longer
 * matches its admission. Store it with the workload; see {@link JobSync}.
 *
 * @param name the name of the job
 * @param uid the uid of the job, empty if it has none
 * @param maximumExecutionTimeSeconds the maximum execution time, empty for no limit
 * @param podSets the pod sets, in the order of the job
 * @since 0.1.0
 */
public record JobForm(
    String name, String uid, OptionalInt maximumExecutionTimeSeconds, List<PodSetForm> podSets) {
  /** Copies what it is given. */
  public JobForm {
    podSets = ImmutableList.copyOf(podSets);
  }

  /**
   * The form of one pod set.
   *
   * @param name the name of the pod set
   * @param path the field of the job that contains its template
   * @param count the number of pods
   * @param minCount the minimum number of pods, empty if all are needed
   * @param initContainers the complete init containers; not to be modified
   * @param containers the complete containers; not to be modified
   * @param tolerations the tolerations; not to be modified
   */
  public record PodSetForm(
      String name,
      String path,
      int count,
      OptionalInt minCount,
      List<Container> initContainers,
      List<Container> containers,
      List<Toleration> tolerations) {
    /** Copies what it is given. */
    public PodSetForm {
      initContainers = ImmutableList.copyOf(initContainers);
      containers = ImmutableList.copyOf(containers);
      tolerations = ImmutableList.copyOf(tolerations);
    }
  }
}
