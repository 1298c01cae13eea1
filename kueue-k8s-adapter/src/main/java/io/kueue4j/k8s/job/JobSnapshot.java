package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;

/**
 * What a start may change of a job, as it was before: what {@link JobEditor#stop} brings back. To
 * be kept beside the admission for as long as that lasts.
 *
 * @param podSets the pod sets, in the order of the job
 * @param fields the fields that are written in other words than those of the pod sets
 */
public record JobSnapshot(ImmutableList<PodTemplateSnapshot> podSets, SavedFields fields) {}
