package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The parts of a job that a start may change, before the change: {@link JobEditor#stop} restores
 * them. Store it for as long as the admission lasts.
 *
 * @param podSets the pod sets, in the order of the job
 * @param fields the fields whose notation the pod sets do not retain
 * @since 0.1.0
 */
public record JobSnapshot(List<PodTemplateSnapshot> podSets, SavedFields fields) {
  /** Copies what it is given. */
  public JobSnapshot {
    podSets = ImmutableList.copyOf(podSets);
  }
}
