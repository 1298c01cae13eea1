package io.kueue4j.examples.docs;

// snippet
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.jqwik.HarnessAssert;
import io.kueue4j.core.testkit.jqwik.Scenarios;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

@Domain(Scenarios.class)
class MyControllerTest {
  @Property(tries = 30)
  void decidesAsKueueDoes(@ForAll Scenario scenario) {
    HarnessAssert.of(AdmissionEngineUnderTest::create) // or the factory of your engine
        .against(ReferenceEngine::new)
        .holdsIn(scenario);
  }
}
// end
