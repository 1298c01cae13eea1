package io.kueue4j.core.simulation;

import java.time.Duration;

/**
 * Statistics of a group of jobs in a simulation. Immutable.
 *
 * <p>Percentiles are by the nearest-rank method, over the jobs that have started.
 *
 * @param jobs the number of jobs
 * @param started how many of them started
 * @param finished how many of them ran to their end
 * @param preemptions how often they were preempted
 * @param evictions how often they were evicted for other reasons
 * @param lostWork how long they ran in vain, in total
 * @param meanWait the mean wait of those that started
 * @param medianWait the 50th percentile of waits
 * @param wait90 the 90th percentile of waits
 * @param wait95 the 95th percentile of waits
 * @param wait99 the 99th percentile of waits
 * @param maxWait the longest wait
 * @param meanSlowdown the mean {@linkplain JobResult#slowdown() slowdown} of those that finished
 *     and have a duration, NaN if there are none
 * @param meanBoundedSlowdown the mean {@linkplain JobResult#boundedSlowdown() bounded slowdown} of
 *     those that finished, NaN if there are none
 * @since 0.1.0
 */
public record JobSummary(
    int jobs,
    int started,
    int finished,
    long preemptions,
    long evictions,
    Duration lostWork,
    Duration meanWait,
    Duration medianWait,
    Duration wait90,
    Duration wait95,
    Duration wait99,
    Duration maxWait,
    double meanSlowdown,
    double meanBoundedSlowdown) {}
