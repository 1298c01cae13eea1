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
  private final EventQueue announcements;
  private final VersionedList<Decision> unreturned;

  /** Creates an empty log. */
  DecisionLog(StateContext context, EventQueue announcements) {
    this.announcements = announcements;
    this.unreturned = new VersionedList<>(context.journal());
  }

  /** Takes the decisions of another state. */
  void share(DecisionLog origin) {
    unreturned.share(origin.unreturned);
  }

  /** Adds a decision for the next call that returns decisions. */
  public void add(Decision decision) {
    if (VariantNames.isVariant(decision.workload())) {
      return;
    }
    unreturned.add(decision);
    announce(decision);
  }

  /** Notifies the listener of a decision that the current call returns directly. */
  public void announce(Decision decision) {
    announcements.decided(decision);
  }

  /** {@return all decisions, and removes them} */
  public Decisions takeAll() {
    if (unreturned.isEmpty()) {
      return Decisions.none();
    }
    ImmutableList<Decision> taken = unreturned.all();
    unreturned.set(ImmutableList.of());
    return Decisions.of(taken);
  }

  /** {@return the wanted decisions, and removes them} */
  @CanIgnoreReturnValue
  public ImmutableList<Decision> take(Predicate<? super Decision> isWanted) {
    ImmutableList<Decision> before = unreturned.all();
    ImmutableList<Decision> taken = before.stream().filter(isWanted).collect(toImmutableList());
    if (!taken.isEmpty()) {
      unreturned.set(before.stream().filter(isWanted.negate()).toList());
    }
    return taken;
  }
}
