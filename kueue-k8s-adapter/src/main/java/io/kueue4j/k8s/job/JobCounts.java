package io.kueue4j.k8s.job;

import java.util.OptionalInt;

/**
 * The fields of a job that determine its number of pods, as written in the job.
 *
 * @param parallelism the number of concurrent pods, empty if not written
 * @param completions the number of pods that must succeed, empty if not written
 * @since 0.1.0
 */
public record JobCounts(OptionalInt parallelism, OptionalInt completions) {}
