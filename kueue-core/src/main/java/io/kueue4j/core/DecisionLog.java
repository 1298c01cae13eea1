package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The decisions that no call has returned yet, in their order.
 *
 * <p>Decisions about variants are left out: a decision about their workload says the same. Not safe
 * for several threads.
 */
final class DecisionLog {
  private final EngineState state;
  private final List<Decision> unreturned = new ArrayList<>();

  /** Creates a log that begins with {@code unreturned}. */
  DecisionLog(EngineState state, ImmutableList<Decision> unreturned) {
    this.state = state;
    this.unreturned.addAll(unreturned);
  }

  /** Adds a decision, which the next call that returns decisions returns. */
  void add(Decision decision) {
    if (VariantNames.isVariant(decision.workload())) {
      return;
    }
    state.units().beforeOtherChange();
    unreturned.add(decision);
    state.undo().add(() -> unreturned.remove(unreturned.size() - 1));
    announce(decision);
  }

  /** Notifies the listener of a decision that the call at hand returns by itself. */
  void announce(Decision decision) {
    state.announcements().decided(decision);
  }

  /** {@return all decisions, which are returned hereby} */
  Decisions takeAll() {
    return Decisions.of(take(decision -> true));
  }

  /** {@return the wanted decisions, which are returned hereby} */
  @CanIgnoreReturnValue
  ImmutableList<Decision> take(Predicate<? super Decision> isWanted) {
    ImmutableList<Decision> taken = unreturned.stream().filter(isWanted).collect(toImmutableList());
    if (!taken.isEmpty()) {
      state.units().beforeOtherChange();
      ImmutableList<Decision> before = unreturned();
      state.undo().add(() -> {
        unreturned.clear();
        unreturned.addAll(before);
      });
      unreturned.removeIf(isWanted);
    }
    return taken;
  }

  /** {@return the decisions that no call has returned yet} */
  ImmutableList<Decision> unreturned() {
    return ImmutableList.copyOf(unreturned);
  }
}
