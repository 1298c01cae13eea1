package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** A file of conformance vectors: scenarios, and Kueue's decisions for each. */
public sealed interface VectorFile permits ScenarioFile, RecordedFile {

  /**
   * Plays the scenarios of the file, each on a new admission engine.
   *
   * @param listener receives the results, in the order of the file
   * @throws InputException if a file, or a line of it, cannot be read
   */
  void play(Consumer<ScenarioResult> listener);

  /**
   * Recognizes the format of a file by its first line.
   *
   * @param path the file
   * @param withPreemption whether to play also the scenarios in which Kueue preempted workloads
   * @return the vectors; empty if the file contains calls of job integrations, which schedule
   *     nothing
   * @throws InputException if the file cannot be read, or contains outcomes instead of scenarios
   */
  static Optional<VectorFile> of(Path path, boolean withPreemption) {
    JsonNode line = VectorJson.tree(VectorLines.first(path).orElse(""));
    if (line.has("m") && line.has("obj")) {
      return Optional.empty();
    }
    if (RecordedFile.hasOutcomes(line)) {
      throw new InputException(path + ": recorded outcomes; expected the file with the scenarios, "
          + RecordedFile.SCENARIOS + " instead of " + RecordedFile.OUTCOMES);
    }
    return Optional.of(
        RecordedFile.hasScenarios(line)
            ? new RecordedFile(path, withPreemption)
            : new ScenarioFile(path, withPreemption));
  }
}
