package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.state.EngineState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checks of assertion mode around the calls of one engine. Not thread-safe.
 *
 * <p>A fork must equal the state it was made from, and after a call that has changed the state it
 * must still equal the state before the call. After a call that has failed, the state must be as
 * before.
 *
 * <p>A call after a fork copies what it changes, and a rollback needs only to drop the copies.
 * Therefore two of four calls come without a fork, so that the second of them changes in place what
 * the first has copied.
 */
public final class StateAssertions {
  /** Events that are not delivered yet have no counterpart in a fork. */
  private static final String EVENTS = "store events";

  private final EngineState state;
  private Map<Object, Object> last;
  private long changesBefore;

  /** The number of calls so far that have changed something. */
  private long changingCallCount;

  /** Made before the last change, null if nothing has changed since it was made. */
  private @Nullable EngineState fork;

  /** What the current call fails with, null unless a check has failed. */
  private @Nullable AssertionError reported;

  /**
   * Creates the checks of an engine.
   *
   * @param state its state
   */
  public StateAssertions(EngineState state) {
    this.state = state;
    this.last = StateDump.of(state);
  }

  /**
   * Makes a fork before a call, if one is due.
   *
   * @throws AssertionError if it differs from the state
   */
  public void beforeCall() {
    if (fork == null && (changingCallCount & 2) == 0) {
      EngineState made = state.fork();
      compare("a fork differs from the state", last, StateDump.of(made));
      fork = made;
    }
  }

  /**
   * Checks the state after a call that succeeds.
   *
   * @throws AssertionError if it is not consistent
   */
  public void afterCall() {
    if (state.announcements().hasDecisions()) {
      check(
          "a call did not return all its decisions",
          List.of(state.announcements().takeDecisions().toString()));
    }
    if (state.journal().changeCount() == changesBefore) {
      return;
    }
    changesBefore = state.journal().changeCount();
    changingCallCount++;
    Map<Object, Object> now = StateDump.of(state);
    check("the state is inconsistent", StateInvariants.violations(state));
    if (fork != null) {
      compare("a fork made before the call sees the change", last, StateDump.of(fork));
      fork = null;
    }
    last = now;
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
    List<String> differences = Difference.between(last, now);
    if (!differences.isEmpty()) {
      throw error("a call that failed changed the state", differences, failure);
    }
  }

  private void compare(String problem, Map<Object, Object> expected, Map<Object, Object> ofFork) {
    Map<Object, Object> actual = new HashMap<>(ofFork);
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
