package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.OptionalInt;

/**
 * What of a job its workload stands for: a job that is edited in this is no longer the one that was
 * admitted. To be kept beside the workload; see {@link JobSync}.
 *
 * @param name the name of the job
 * @param uid the uid of the job, empty if it has none
 * @param maximumExecutionTimeSeconds how long it may run, absent for no bound
 * @param podSets the pod sets, in the order of the job
 */
public record JobForm(
    String name,
    String uid,
    OptionalInt maximumExecutionTimeSeconds,
    ImmutableList<PodSetForm> podSets) {

  /**
   * The same of one pod set.
   *
   * @param name the name of the pod set
   * @param path the field of the job that holds its template
   * @param count the number of pods
   * @param minCount the number that it can do with, absent if it needs all
   * @param initContainers the init containers, in full; not to be modified
   * @param containers the containers, in full; not to be modified
   * @param tolerations the tolerations; not to be modified
   */
  public record PodSetForm(
      String name,
      String path,
      int count,
      OptionalInt minCount,
      ImmutableList<Container> initContainers,
      ImmutableList<Container> containers,
      ImmutableList<Toleration> tolerations) {}
}
