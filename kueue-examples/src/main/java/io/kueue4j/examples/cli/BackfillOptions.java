package io.kueue4j.examples.cli;

import io.kueue4j.examples.simulation.BackfillChoice;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How starts are to be promised. */
final class BackfillOptions {
  @Option(
      names = "--backfill",
      paramLabel = "DEPTH",
      converter = Depth.class,
      description = "Promise a start to as many of the first waiting jobs of each ClusterQueue, by"
          + " the durations that jobs are expected to have, and let no other job delay it: 0, 1, 2"
          + " and so on, or all. Unless set, no start is promised, as in Kueue.")
  private Optional<Integer> backfill = Optional.empty();

  @Option(
      names = "--filler-order",
      paramLabel = "ORDER",
      description =
          "With --backfill, the order in which the other jobs are tried: ${COMPLETION-CANDIDATES}."
              + " queue unless set: by priority, then by time.")
  private Optional<BackfillChoice.Order> fillerOrder = Optional.empty();

  @Option(
      names = "--promise-after",
      paramLabel = "DURATION",
      description = "With --backfill, promise a start to every job that has waited as long, such as"
          + " P2D, whatever its place.")
  private Optional<Duration> promiseAfter = Optional.empty();

  BackfillOptions() {}

  /** Reads a depth of backfilling. */
  static final class Depth implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return BackfillAnnotations.depth(text)
          .orElseThrow(() ->
              new TypeConversionException("'" + text + "'; expected " + BackfillChoice.DEPTHS));
    }
  }

  /**
   * {@return what the options say}
   *
   * @throws InputException if they contradict each other
   */
  BackfillChoice choice() {
    BackfillChoice choice = new BackfillChoice(backfill, fillerOrder, promiseAfter);
    if (choice.lacksDepth(Optional.empty())) {
      throw new InputException("--filler-order and --promise-after need --backfill");
    }
    promiseAfter.filter(wait -> wait.isZero() || wait.isNegative()).ifPresent(wait -> {
      throw new InputException("--promise-after is " + wait + ", expected more than 0");
    });
    return choice;
  }
}
