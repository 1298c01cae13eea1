package io.kueue4j.examples.sweep;

import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.simulation.InputFile;
import java.time.Duration;
import java.util.Optional;

/**
 * A history of a grid.
 *
 * @param name the name
 * @param file the file
 * @param options how it is read
 * @param map the file that maps its jobs to queues
 * @param from jobs that were submitted earlier after the start of the history are left out
 * @param until jobs that were submitted then or later are left out
 * @param largePercent the percentage of a quota from which jobs are large
 */
public record GridHistory(
    String name,
    InputFile file,
    HistoryFile.Options options,
    Optional<InputFile> map,
    Duration from,
    Optional<Duration> until,
    int largePercent) {
  /** {@return whether a job counts that was submitted so many milliseconds after the start} */
  public boolean includes(long submitMillis) {
    return submitMillis >= from.toMillis()
        && until.filter(end -> submitMillis >= end.toMillis()).isEmpty();
  }
}
