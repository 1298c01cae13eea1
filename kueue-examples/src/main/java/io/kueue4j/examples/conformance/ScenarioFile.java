package io.kueue4j.examples.conformance;

import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file of scenarios with steps: one JSON object per line, with Kueue's decisions. The file is
 * gzipped if its name ends in {@code .gz}.
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
   * Plays the scenarios of the file, each on a new engine.
   *
   * @param factory creates the engines
   * @param listener receives the results, in the order of the file
   * @throws InputException if the file, or a line of it, cannot be read
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
