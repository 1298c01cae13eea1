package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The parts of one pod set that a start may change, before the change.
 *
 * @param name the pod set
 * @param hasMetadata whether the template had metadata
 * @param labels the labels of the template
 * @param annotations the annotations of the template
 * @param nodeSelector the node selector of its pods
 * @param tolerations the tolerations of its pods; not to be modified
 * @param schedulingGates the scheduling gates of its pods; not to be modified
 * @param affinity the affinity of its pods, empty if they have none; not to be modified
 * @param counts the count fields, empty if a start does not change them
 * @since 0.1.0
 */
public record PodTemplateSnapshot(
    String name,
    boolean hasMetadata,
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations,
    SortedMap<String, String> nodeSelector,
    List<Toleration> tolerations,
    List<PodSchedulingGate> schedulingGates,
    Optional<Affinity> affinity,
    Optional<JobCounts> counts) {
  /** Copies what it is given. */
  public PodTemplateSnapshot {
    labels = ImmutableSortedMap.copyOf(labels);
    annotations = ImmutableSortedMap.copyOf(annotations);
    nodeSelector = ImmutableSortedMap.copyOf(nodeSelector);
    tolerations = ImmutableList.copyOf(tolerations);
    schedulingGates = ImmutableList.copyOf(schedulingGates);
  }
}
