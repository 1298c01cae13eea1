package io.kueue4j.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Copies of units that are never changed, given before the engine changed its own. Safe for several
 * threads; takes no lock but its own.
 */
final class KeptUnits {
  @GuardedBy("this")
  private final Map<String, Unit> units = new HashMap<>();

  @GuardedBy("this")
  private final Map<Unit.Member, Unit> unitOfMember = new HashMap<>();

  /** Units whose members have not been noted yet: nobody may ever ask. */
  @GuardedBy("this")
  private final List<Unit> unread = new ArrayList<>();

  @GuardedBy("this")
  private boolean complete;

  synchronized void add(Unit unit) {
    units.put(unit.name(), unit);
    unread.add(unit);
  }

  /** Notes that no unit is missing. */
  synchronized void setComplete() {
    complete = true;
  }

  /** {@return whether no unit is missing} */
  synchronized boolean isComplete() {
    return complete;
  }

  synchronized boolean has(String name) {
    return units.containsKey(name);
  }

  synchronized List<Unit> all() {
    return List.copyOf(units.values());
  }

  synchronized Set<String> queueNames() {
    Set<String> names = new HashSet<>();
    units.values().forEach(unit -> names.addAll(unit.queues().keySet()));
    return names;
  }

  synchronized Optional<Unit> find(String name) {
    return Optional.ofNullable(units.get(name));
  }

  synchronized Optional<Unit> find(Unit.Member member) {
    for (Unit unit : unread) {
      unit.members().forEach(each -> unitOfMember.put(each, unit));
    }
    unread.clear();
    return Optional.ofNullable(unitOfMember.get(member));
  }
}
