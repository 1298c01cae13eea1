package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries an engine out: plays random scenarios, checks the invariants after each step, compares with
 * another engine, and makes what fails as small as it can.
 *
 * <pre>{@code
 * HarnessResult result =
 *     HarnessRun.of(MyEngine::new).against(AdmissionEngineUnderTest::create).steps(10_000).seed(1).run();
 * assertThat(result.failure()).isEmpty();
 * }</pre>
 *
 * <p>Not safe for several threads.
 */
public final class HarnessRun {
  private static final long DEFAULT_STEPS = 10_000;

  private final EngineUnderTest.Factory factory;
  private EngineUnderTest.@Nullable Factory reference;
  private ImmutableSortedSet<Invariant> invariants = AdmissionInvariants.parity();
  private ScenarioOptions options = ScenarioOptions.defaults();
  private long steps = DEFAULT_STEPS;
  private long seed;

  private HarnessRun(EngineUnderTest.Factory factory) {
    this.factory = factory;
  }

  /** {@return a run of engines that {@code factory} makes} */
  public static HarnessRun of(EngineUnderTest.Factory factory) {
    return new HarnessRun(factory);
  }

  /** Compares with engines that {@code reference} makes, after each step. */
  @CanIgnoreReturnValue
  public HarnessRun against(EngineUnderTest.Factory reference) {
    this.reference = reference;
    return this;
  }

  /** Sets what is checked, {@link AdmissionInvariants#parity} unless set. */
  @CanIgnoreReturnValue
  public HarnessRun invariants(Iterable<Invariant> invariants) {
    this.invariants = ImmutableSortedSet.copyOf(invariants);
    return this;
  }

  /** Sets what scenarios are made, the defaults unless set. */
  @CanIgnoreReturnValue
  public HarnessRun options(ScenarioOptions options) {
    this.options = options;
    return this;
  }

  /** Sets how many steps to play at least, 10,000 unless set. */
  @CanIgnoreReturnValue
  public HarnessRun steps(long steps) {
    this.steps = steps;
    return this;
  }

  /** Sets the first seed, 0 unless set; each scenario has the next. */
  @CanIgnoreReturnValue
  public HarnessRun seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Plays scenarios until all steps are played, or one fails.
   *
   * @return what came of it
   */
  public HarnessResult run() {
    ScenarioGenerator generator = ScenarioGenerator.create(options);
    ScenarioCheck check = check();
    long played = 0;
    long next = seed;
    while (played < steps) {
      Scenario scenario = generator.scenario(next);
      next++;
      played += scenario.steps().size();
      Optional<HarnessFailure> failure = check.check(scenario);
      if (failure.isPresent()) {
        return new HarnessResult(
            next - seed, played, next, Optional.of(Minimizer.minimize(failure.get(), check)));
      }
    }
    return new HarnessResult(next - seed, played, next, Optional.empty());
  }

  /**
   * Plays one scenario.
   *
   * @return what is wrong, if anything; the scenario as it is
   */
  public Optional<HarnessFailure> play(Scenario scenario) {
    return check().check(scenario);
  }

  /**
   * Makes the scenario of a failure smaller as long as it fails for the same cause.
   *
   * @return the failure in the smallest scenario found
   */
  public HarnessFailure minimize(HarnessFailure failure) {
    return Minimizer.minimize(failure, check());
  }

  private ScenarioCheck check() {
    return new ScenarioCheck(factory, reference, invariants);
  }
}
