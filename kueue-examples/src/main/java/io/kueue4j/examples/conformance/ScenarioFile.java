package io.kueue4j.examples.conformance;

import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file of scenarios with steps: one JSON object in each line, with what Kueue decided. The file
 * is gzipped if its name ends in {@code .gz}.
 *
 * @param path the file
 * @param withPreemption whether to play also the scenarios in which Kueue preempted workloads
 */
public record ScenarioFile(Path path, boolean withPreemption) implements VectorFile {

  @Override
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
    VectorLines.readAll(path, line -> {
      Scenario scenario = ScenarioReader.scenario(line);
      if (withPreemption || !scenario.hasPreemption()) {
        listener.accept(ScenarioPlayer.play(ScenarioReader.read(scenario), factory));
      }
    });
  }
}
