package io.kueue4j.core.lifecycle;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.WorkloadCondition;
import java.time.Instant;
import java.util.Optional;

/**
 * What is true and false of a workload. Immutable.
 *
 * @param inOrder the conditions, at most one of each type, in the order of the types
 */
public record Conditions(ImmutableList<WorkloadCondition> inOrder) {
  /** Nothing is known yet. */
  public static final Conditions NONE = new Conditions(ImmutableList.of());

  /** {@return those conditions; of several of one type, the first} */
  public static Conditions of(Iterable<WorkloadCondition> conditions) {
    Conditions found = NONE;
    for (WorkloadCondition condition : conditions) {
      found = found.get(condition.type()).isPresent() ? found : found.with(condition);
    }
    return found;
  }

  /** {@return the condition of that type, if it is known} */
  public Optional<WorkloadCondition> get(ConditionType type) {
    for (WorkloadCondition condition : inOrder) {
      if (condition.type() == type) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  /** {@return whether that is known to be true} */
  public boolean isTrue(ConditionType type) {
    for (WorkloadCondition condition : inOrder) {
      if (condition.type() == type) {
        return condition.isTrue();
      }
    }
    return false;
  }

  /** {@return the condition of that type if it is true} */
  public Optional<WorkloadCondition> ifTrue(ConditionType type) {
    return get(type).filter(WorkloadCondition::isTrue);
  }

  /** {@return these with another one; if only the reason is new, the time stays (L-14a)} */
  public Conditions with(
      ConditionType type, boolean isTrue, String reason, String message, Instant now) {
    Instant since = now;
    for (WorkloadCondition known : inOrder) {
      if (known.type() == type && known.isTrue() == isTrue) {
        since = known.lastTransitionTime();
      }
    }
    return with(new WorkloadCondition(type, isTrue, reason, message, since));
  }

  private Conditions with(WorkloadCondition condition) {
    // Every admission passes here, so nothing is made that is not kept.
    if (inOrder.isEmpty()) {
      return new Conditions(ImmutableList.of(condition));
    }
    if (inOrder.size() == 1 && inOrder.get(0).type().compareTo(condition.type()) < 0) {
      return new Conditions(ImmutableList.of(inOrder.get(0), condition));
    }
    ImmutableList.Builder<WorkloadCondition> changed =
        ImmutableList.builderWithExpectedSize(inOrder.size() + 1);
    boolean isAdded = false;
    for (WorkloadCondition known : inOrder) {
      if (!isAdded && known.type().compareTo(condition.type()) >= 0) {
        changed.add(condition);
        isAdded = true;
      }
      if (known.type() != condition.type()) {
        changed.add(known);
      }
    }
    return new Conditions(isAdded ? changed.build() : changed.add(condition).build());
  }
}
