package io.kueue4j.k8s.kueue;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.util.Optional;

/**
 * A workload as Kueue has stored it.
 *
 * @param workload what is to be admitted
 * @param admission what it was given, absent if it holds no quota
 * @param preempted for what it was told to stop, absent unless it was and still holds its quota
 * @param notes what was not understood or is not taken into account
 */
public record ImportedWorkload(
    Workload workload,
    Optional<Admission> admission,
    Optional<PreemptedCondition> preempted,
    ImmutableList<ManifestIssue> notes) {}
