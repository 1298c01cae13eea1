package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.internal.versioned.VersionedList;
import java.util.function.Predicate;

/**
 * The decisions that no call has returned yet, in order.
 *
 * <p>Excludes decisions about variants, which are covered by the decision about the submitted
 * workload. Not thread-safe.
 */
public final class DecisionLog {
  private final StateContext context;
  private final EventQueue announcements;
  private final VersionedList<Decision> unreturned;

  /** Creates a log with the initial content {@code unreturned}. */
  DecisionLog(StateContext context, EventQueue announcements, ImmutableList<Decision> unreturned) {
    this.context = context;
    this.announcements = announcements;
    this.unreturned = new VersionedList<>(context.journal(), unreturned);
  }

  /** Adds a decision for the next call that returns decisions. */
  public void add(Decision decision) {
    if (VariantNames.isVariant(decision.workload())) {
      return;
    }
    context.changes().tracker().beforeOtherChange();
    unreturned.add(decision);
    announce(decision);
  }

  /** Notifies the listener of a decision that the current call returns directly. */
  public void announce(Decision decision) {
    announcements.decided(decision);
  }

  /** {@return all decisions, and removes them} */
  public Decisions takeAll() {
    ImmutableList<Decision> taken = unreturned();
    if (!taken.isEmpty()) {
      context.changes().tracker().beforeOtherChange();
      unreturned.set(ImmutableList.of());
    }
    return Decisions.of(taken);
  }

  /** {@return the wanted decisions, and removes them} */
  @CanIgnoreReturnValue
  public ImmutableList<Decision> take(Predicate<? super Decision> isWanted) {
    ImmutableList<Decision> before = unreturned();
    ImmutableList<Decision> taken = before.stream().filter(isWanted).collect(toImmutableList());
    if (!taken.isEmpty()) {
      context.changes().tracker().beforeOtherChange();
      unreturned.set(before.stream().filter(isWanted.negate()).toList());
    }
    return taken;
  }

  /** {@return the decisions that no call has returned yet} */
  ImmutableList<Decision> unreturned() {
    return unreturned.all();
  }
}
