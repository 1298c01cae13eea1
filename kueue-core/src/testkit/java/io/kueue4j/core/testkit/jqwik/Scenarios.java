package io.kueue4j.core.testkit.jqwik;

import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioGenerator;
import io.kueue4j.core.testkit.ScenarioOptions;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/**
 * Random scenarios as parameters of properties. Failing scenarios shrink by dropping steps.
 *
 * <pre>{@code
 * @Property
 * @Domain(Scenarios.class)
 * void decidesAsKueueDoes(@ForAll Scenario scenario) {
 *   HarnessAssert.of(MyEngine::new).against(ReferenceEngine::new).holdsIn(scenario);
 * }
 * }</pre>
 */
public final class Scenarios extends DomainContextBase {
  /** Creates the domain of scenarios with default options; called by jqwik. */
  public Scenarios() {}

  /** {@return scenarios with default options} */
  @Provide
  public Arbitrary<Scenario> scenarios() {
    return of(ScenarioOptions.defaults());
  }

  /** {@return scenarios with {@code options}} */
  public static Arbitrary<Scenario> of(ScenarioOptions options) {
    ScenarioGenerator generator = ScenarioGenerator.create(options);
    return Arbitraries.fromGenerator(
        random -> new ShrinkableScenario(generator.scenario(random.nextLong())));
  }
}
