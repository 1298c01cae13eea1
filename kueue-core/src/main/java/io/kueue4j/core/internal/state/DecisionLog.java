package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import java.util.ArrayList;
import java.util.List;
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
  private final List<Decision> unreturned = new ArrayList<>();

  /** Creates a log with the initial content {@code unreturned}. */
  DecisionLog(StateContext context, EventQueue announcements, ImmutableList<Decision> unreturned) {
    this.context = context;
    this.announcements = announcements;
    this.unreturned.addAll(unreturned);
  }

  /** Adds a decision for the next call that returns decisions. */
  public void add(Decision decision) {
    if (VariantNames.isVariant(decision.workload())) {
      return;
    }
    context.changes().tracker().beforeOtherChange();
    unreturned.add(decision);
    context.changes().inverse(DecisionLog::removeLast, this, decision);
    announce(decision);
  }

  private void removeLast(Decision unused) {
    unreturned.remove(unreturned.size() - 1);
  }

  /** Notifies the listener of a decision that the current call returns directly. */
  public void announce(Decision decision) {
    announcements.decided(decision);
  }

  /** {@return all decisions, and removes them} */
  public Decisions takeAll() {
    ImmutableList<Decision> taken = unreturned();
    if (!taken.isEmpty()) {
      restoreOnFailure(taken);
      unreturned.clear();
    }
    return Decisions.of(taken);
  }

  /** {@return the wanted decisions, and removes them} */
  @CanIgnoreReturnValue
  public ImmutableList<Decision> take(Predicate<? super Decision> isWanted) {
    ImmutableList<Decision> taken = unreturned.stream().filter(isWanted).collect(toImmutableList());
    if (!taken.isEmpty()) {
      restoreOnFailure(unreturned());
      unreturned.removeIf(isWanted);
    }
    return taken;
  }

  private void restoreOnFailure(ImmutableList<Decision> before) {
    context.changes().tracker().beforeOtherChange();
    context.changes().inverse(DecisionLog::put, this, before);
  }

  private void put(ImmutableList<Decision> others) {
    unreturned.clear();
    unreturned.addAll(others);
  }

  /** {@return the decisions that no call has returned yet} */
  ImmutableList<Decision> unreturned() {
    return ImmutableList.copyOf(unreturned);
  }
}
