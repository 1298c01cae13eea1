package io.kueue4j.k8s.job;

import java.util.OptionalInt;

/**
 * The fields of a job that say how many pods it has, as they are written in it.
 *
 * @param parallelism how many run at a time, absent if not written
 * @param completions how many must succeed, absent if not written
 */
public record JobCounts(OptionalInt parallelism, OptionalInt completions) {}
