package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.fault.FaultLoader;
import io.kueue4j.core.fault.FaultPoints;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * A call that fails anywhere changes nothing. Failures come from the clock, the jitter, and the
 * start of any method of the engine; see {@link FaultLoader} for the exceptions.
 *
 * <p>With {@code -Dkueue4j.tries=N} it prints the number and places of the failures at the end.
 */
class AtomicityProperties {
  private static final Function<Choices, Runnable> RUN = load();

  @SuppressWarnings("unchecked") // the class implements it
  private static Function<Choices, Runnable> load() {
    try {
      FaultLoader loader = new FaultLoader();
      loader.initializeAll();
      return (Function<Choices, Runnable>)
          loader.loadClass(FaultRun.class.getName()).getConstructor().newInstance();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Provide
  Arbitrary<Runnable> lives() {
    return Choices.arbitrary(RUN);
  }

  @Property(tries = 12)
  void aCallThatFailsAnywhereChangesNothing(@ForAll("lives") Runnable life) {
    life.run();
  }

  @AfterContainer
  static void report() {
    assertThat(FaultPoints.failures()).as("failures").isGreaterThan(3000);
    if (Integer.getInteger("kueue4j.tries") != null) {
      System.out.println(FaultPoints.report());
    }
  }
}
