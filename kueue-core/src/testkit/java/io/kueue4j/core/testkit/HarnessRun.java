package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Tests an engine: plays random scenarios, checks the invariants after each step, compares with
 * another engine, and reduces failing scenarios.
 *
 * <pre>{@code
 * HarnessResult result =
 *     HarnessRun.of(MyEngine::new).against(AdmissionEngineUnderTest::create).steps(10_000).seed(1).run();
 * assertThat(result.failure()).isEmpty();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class HarnessRun {
  private static final long DEFAULT_STEPS = 10_000;

  private final EngineUnderTest.Factory factory;
  private EngineUnderTest.@Nullable Factory reference;
  private SortedSet<Invariant> invariants = AdmissionInvariants.parity();
  private ScenarioOptions options = ScenarioOptions.defaults();
  private long steps = DEFAULT_STEPS;
  private long seed;

  private HarnessRun(EngineUnderTest.Factory factory) {
    this.factory = factory;
  }

  /** {@return a run of engines created by {@code factory}} */
  public static HarnessRun of(EngineUnderTest.Factory factory) {
    return new HarnessRun(factory);
  }

  /** Compares with engines created by {@code reference}, after each step. */
  @CanIgnoreReturnValue
  public HarnessRun against(EngineUnderTest.Factory reference) {
    this.reference = reference;
    return this;
  }

  /** Sets the invariants to check; {@link AdmissionInvariants#parity} by default. */
  @CanIgnoreReturnValue
  public HarnessRun invariants(Iterable<Invariant> invariants) {
    this.invariants = ImmutableSortedSet.copyOf(invariants);
    return this;
  }

  /** Sets the options of scenarios. */
  @CanIgnoreReturnValue
  public HarnessRun options(ScenarioOptions options) {
    this.options = options;
    return this;
  }

  /** Sets the minimum number of steps to play; 10,000 by default. */
  @CanIgnoreReturnValue
  public HarnessRun steps(long steps) {
    this.steps = steps;
    return this;
  }

  /** Sets the first seed, 0 by default; each scenario uses the next. */
  @CanIgnoreReturnValue
  public HarnessRun seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Plays scenarios until all steps are played, or one fails.
   *
   * @return the result
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
   * @return the failure, if any, with the given scenario
   */
  public Optional<HarnessFailure> play(Scenario scenario) {
    return check().check(scenario);
  }

  /**
   * Reduces the scenario of a failure as long as it fails for the same cause.
   *
   * @return the failure in the smallest scenario that was found
   */
  public HarnessFailure minimize(HarnessFailure failure) {
    return Minimizer.minimize(failure, check());
  }

  private ScenarioCheck check() {
    return new ScenarioCheck(factory, reference, invariants);
  }
}
