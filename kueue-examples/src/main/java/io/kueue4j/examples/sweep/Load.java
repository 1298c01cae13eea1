package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * The loads of a grid.
 *
 * @param submissions factors on the number of jobs per time
 * @param durations factors on the durations of jobs
 * @param seeds the seeds by which histories are sampled anew; empty to take them as they are
 * @param block the length of the parts that are sampled
 */
public record Load(
    ImmutableList<BigDecimal> submissions,
    ImmutableList<BigDecimal> durations,
    ImmutableList<Long> seeds,
    Duration block) {}
