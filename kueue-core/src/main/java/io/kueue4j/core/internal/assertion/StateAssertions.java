package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.fork.ForkableState;
import io.kueue4j.core.internal.fork.Snapshot;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.ForkLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of assertion mode around the calls of one engine. Not thread-safe.
 *
 * <p>After a call that has changed something, a study that loads everything must equal the state:
 * it has counted the indexes and the usage of nodes and TPU pools anew. A study of the view taken
 * before the call must equal the state before the call.
 */
public final class StateAssertions {
  /** Events that are not delivered yet have no counterpart in a study. */
  private static final String EVENTS = "store events";

  private final EngineState state;
  private final Supplier<Snapshot> snapshots;
  private final boolean isFork;
  private Map<Object, Object> last;

  /** Taken after the last change, null before the first one. */
  private @Nullable Snapshot snapshot;

  /** What the current call fails with, null unless a check has failed. */
  private @Nullable AssertionError reported;

  /**
   * Creates the checks of an engine.
   *
   * @param state its state
   * @param snapshots takes a snapshot of the state
   */
  public StateAssertions(EngineState state, Supplier<Snapshot> snapshots) {
    this.state = state;
    this.snapshots = snapshots;
    this.isFork = !state.loader().equals(ForkLoader.NONE);
    this.last = StateDump.of(state);
  }

  /**
   * Checks the state after a call that succeeds.
   *
   * @throws AssertionError if it is not consistent
   */
  public void afterCall() {
    if (state.journal().isEmpty()) {
      return;
    }
    Map<Object, Object> now = StateDump.of(state);
    check("the state is inconsistent", violations());
    if (!isFork && !now.equals(last)) {
      if (snapshot != null) {
        compare("a view taken before the call sees the change", last, study(snapshot));
      }
      snapshot = snapshots.get();
      compare(
          "a study differs from the state, or the indexes of the state are wrong",
          now,
          study(snapshot));
    }
    last = now;
  }

  private List<String> violations() {
    List<String> violations = new ArrayList<>();
    QuotaChecks.check(state, violations);
    PlaceChecks.check(state, isFork, violations);
    if (!isFork) {
      RegistryChecks.check(state, violations);
    }
    return violations;
  }

  /**
   * Checks the state after a call that has failed and was rolled back.
   *
   * @param failure what the call has thrown
   * @throws AssertionError if the state is not as before the call
   */
  public void afterRollback(Throwable failure) {
    if (failure.equals(reported)) {
      return;
    }
    Map<Object, Object> now = StateDump.of(state);
    Map<Object, Object> before = new HashMap<>(last);
    if (isFork) {
      // Parts that were loaded stay loaded.
      before.keySet().removeIf(entry -> entry.toString().startsWith("store "));
      now.keySet().retainAll(before.keySet());
    }
    List<String> differences = Difference.between(before, now);
    if (!differences.isEmpty()) {
      throw error("a call that failed changed the state", differences, failure);
    }
  }

  private static Map<Object, Object> study(Snapshot snapshot) {
    EngineState study = ForkableState.of(snapshot).state();
    study.loader().takeAll();
    return StateDump.of(study);
  }

  private void compare(String problem, Map<Object, Object> expected, Map<Object, Object> study) {
    Map<Object, Object> actual = new HashMap<>(study);
    actual.put(EVENTS, expected.get(EVENTS));
    check(problem, Difference.between(expected, actual));
  }

  private void check(String problem, List<String> details) {
    if (!details.isEmpty()) {
      reported = error(problem, details, null);
      throw reported;
    }
  }

  private static AssertionError error(
      String problem, List<String> details, @Nullable Throwable cause) {
    return new AssertionError(
        "assertion mode: " + problem + ". This is a bug of kueue4j; please report this message with"
            + " the calls that led to it:\n  " + String.join("\n  ", details),
        cause);
  }
}
