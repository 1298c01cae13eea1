package io.kueue4j.core.cycle;

/**
 * The settings that a cycle depends on.
 *
 * @param partialAdmission whether workloads may be admitted at reduced counts
 * @param preservesScanProgress whether the resume index outlives one cycle and a skip (F-25, S-16)
 * @param sortsByPriority whether priority orders the entries of a cycle (S-7)
 */
public record CycleRules(
    boolean partialAdmission, boolean preservesScanProgress, boolean sortsByPriority) {}
