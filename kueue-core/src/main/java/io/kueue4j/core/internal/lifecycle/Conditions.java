package io.kueue4j.core.internal.lifecycle;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a workload. Immutable.
 *
 * @param inOrder the conditions, at most one of each type, in the order of the types
 */
public record Conditions(ImmutableList<WorkloadCondition> inOrder) {
  /** No conditions. */
  public static final Conditions NONE = new Conditions(ImmutableList.of());

  /** {@return these conditions; only the first of each type counts} */
  public static Conditions of(Iterable<WorkloadCondition> conditions) {
    Conditions found = NONE;
    for (WorkloadCondition condition : conditions) {
      found = found.get(condition.type()).isPresent() ? found : found.with(condition);
    }
    return found;
  }

  /** {@return the condition of this type, empty if there is none} */
  public Optional<WorkloadCondition> get(ConditionType type) {
    return Optional.ofNullable(find(type));
  }

  /** {@return whether the condition of this type is true} */
  public boolean isTrue(ConditionType type) {
    WorkloadCondition known = find(type);
    return known != null && known.isTrue();
  }

  private @Nullable WorkloadCondition find(ConditionType type) {
    // By index: called several times for every admission, where iterators would be noticeable.
    for (int i = 0; i < inOrder.size(); i++) {
      if (inOrder.get(i).type() == type) {
        return inOrder.get(i);
      }
    }
    return null;
  }

  /** {@return the condition of this type if it is true} */
  public Optional<WorkloadCondition> ifTrue(ConditionType type) {
    return get(type).filter(WorkloadCondition::isTrue);
  }

  /** {@return these conditions with one set; its time changes only with its status (L-14a)} */
  public Conditions with(
      ConditionType type, boolean isTrue, String reason, String message, Instant now) {
    WorkloadCondition known = find(type);
    Instant since = known != null && known.isTrue() == isTrue ? known.lastTransitionTime() : now;
    return with(new WorkloadCondition(type, isTrue, reason, message, since));
  }

  private Conditions with(WorkloadCondition condition) {
    // Called for every admission, so it allocates nothing in vain.
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
