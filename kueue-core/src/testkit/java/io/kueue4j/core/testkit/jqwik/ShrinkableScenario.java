package io.kueue4j.core.testkit.jqwik;

import io.kueue4j.core.testkit.Scenario;
import java.util.stream.Stream;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * A scenario that shrinks by dropping steps, configuration objects and settings.
 *
 * @param scenario the scenario
 */
record ShrinkableScenario(Scenario scenario) implements Shrinkable<Scenario> {
  @Override
  public Scenario value() {
    return scenario;
  }

  @Override
  public Stream<Shrinkable<Scenario>> shrink() {
    return scenario.reductions().map(ShrinkableScenario::new);
  }

  @Override
  public ShrinkingDistance distance() {
    return ShrinkingDistance.of(scenario.steps().size(), scenario.toString().length());
  }
}
