package io.kueue4j.examples.conformance;

import com.google.common.base.CharMatcher;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file of conformance vectors: one JSON object in each line, gzipped if its name ends in
 * {@code .gz}.
 *
 * @param path the file
 * @param withPreemption whether to play also the scenarios in which Kueue preempted workloads
 */
public record ScenarioFile(Path path, boolean withPreemption) {
  /**
   * Plays the scenarios of the file, each on an admission engine of its own.
   *
   * @param listener takes the results, in the order of the file
   * @throws InputException if the file cannot be read, or a line of it cannot be understood
   */
  public void play(Consumer<ScenarioResult> listener) {
    play(AdmissionEngineUnderTest::create, listener);
  }

  /**
   * Plays the scenarios of the file, each on an engine of its own.
   *
   * @param factory makes the engines
   * @param listener takes the results, in the order of the file
   * @throws InputException if the file cannot be read, or a line of it cannot be understood
   */
  public void play(EngineUnderTest.Factory factory, Consumer<ScenarioResult> listener) {
    try (BufferedReader lines = TextFiles.lines(path)) {
      int number = 0;
      boolean isEmpty = true;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!CharMatcher.whitespace().matchesAllOf(line)) {
          isEmpty = false;
          play(line, number, factory, listener);
        }
      }
      if (isEmpty) {
        // That nothing disagrees would be taken for a success.
        throw new InputException(path + ": empty; expected one scenario in each line");
      }
    } catch (IOException e) {
      throw UnreadableFiles.failure(path, e);
    }
  }

  private void play(
      String line, int number, EngineUnderTest.Factory factory, Consumer<ScenarioResult> listener) {
    try {
      Scenario scenario = ScenarioReader.scenario(line);
      if (withPreemption || !scenario.hasPreemption()) {
        listener.accept(ScenarioPlayer.play(ScenarioReader.read(scenario), factory));
      }
    } catch (InputException e) {
      throw new InputException(path + ": line " + number + ": " + e.getMessage(), e);
    }
  }
}
