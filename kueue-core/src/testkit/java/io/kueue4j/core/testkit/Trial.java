package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import java.time.Duration;

/**
 * A played scenario, which can be replayed.
 *
 * @param scenario the scenario
 * @param factory creates the engine
 * @param played the results of its steps
 */
record Trial(Scenario scenario, EngineUnderTest.Factory factory, ImmutableList<PlayedStep> played) {
  /** {@return a new engine of the same kind and settings} */
  Session start() {
    return new Session(factory, settings());
  }

  /** {@return a new engine after the same steps} */
  Session replay() {
    Session session = start();
    scenario.steps().forEach(session::play);
    return session;
  }

  /** {@return the time that passed in the scenario} */
  Duration elapsed() {
    return scenario.steps().stream()
        .map(step -> step instanceof Step.PassTime pass ? pass.duration() : Duration.ZERO)
        .reduce(Duration.ZERO, Duration::plus);
  }

  Settings settings() {
    return scenario.settings();
  }
}
