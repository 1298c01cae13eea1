package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario and reports the first failure.
 *
 * @param factory creates the engine
 * @param reference creates the engine to compare with, if any
 * @param invariants the invariants to check
 */
record ScenarioCheck(
    EngineUnderTest.Factory factory,
    EngineUnderTest.@Nullable Factory reference,
    SortedSet<Invariant> invariants) {

  /** {@return the part of this check that can fail for {@code cause}} */
  ScenarioCheck only(String cause) {
    SortedSet<Invariant> same = ImmutableSortedSet.copyOf(
        invariants.stream().filter(invariant -> invariant.name().equals(cause)).toList());
    boolean compares = cause.equals(HarnessFailure.DIVERGENCE);
    // An exception may occur in any check that continues the scenario.
    return cause.equals(HarnessFailure.EXCEPTION)
        ? this
        : new ScenarioCheck(factory, compares ? reference : null, same);
  }

  Optional<HarnessFailure> check(Scenario scenario) {
    List<PlayedStep> played = new ArrayList<>();
    try {
      Session session = new Session(factory, scenario.settings());
      Player other = reference == null ? null : new Player(reference, scenario.settings());
      for (Step step : scenario.steps()) {
        Moment moment = session.play(step);
        Optional<HarnessFailure> failure = check(moment, other, played.size(), scenario);
        if (failure.isPresent()) {
          return failure;
        }
        played.add(moment.played());
      }
      return checkEnd(new Trial(scenario, factory, ImmutableList.copyOf(played)));
    } catch (RuntimeException | AssertionError e) {
      return Optional.of(
          new HarnessFailure(HarnessFailure.EXCEPTION, played.size(), where(e), scenario));
    }
  }

  private Optional<HarnessFailure> check(
      Moment moment, @Nullable Player other, int step, Scenario scenario) {
    if (other != null) {
      PlayedStep expected = other.playAndObserve(moment.played().step());
      String difference = Differences.between(moment.played(), expected);
      if (!difference.isEmpty()) {
        return Optional.of(
            new HarnessFailure(HarnessFailure.DIVERGENCE, step, difference, scenario));
      }
    }
    for (Invariant invariant : invariants) {
      List<String> wrong = invariant.check().afterStep(moment);
      if (!wrong.isEmpty()) {
        return Optional.of(failure(invariant, step, wrong, scenario));
      }
    }
    return Optional.empty();
  }

  private Optional<HarnessFailure> checkEnd(Trial trial) {
    for (Invariant invariant : invariants) {
      List<String> wrong = invariant.check().atEnd(trial);
      if (!wrong.isEmpty()) {
        return Optional.of(
            failure(invariant, trial.scenario().steps().size(), wrong, trial.scenario()));
      }
    }
    return Optional.empty();
  }

  private static HarnessFailure failure(
      Invariant invariant, int step, List<String> wrong, Scenario scenario) {
    return HarnessFailure.of(new Violation(invariant, step, String.join("; ", wrong)), scenario);
  }

  private static String where(Throwable thrown) {
    StackTraceElement[] trace = thrown.getStackTrace();
    return thrown + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
