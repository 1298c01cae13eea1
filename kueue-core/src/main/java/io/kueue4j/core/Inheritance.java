package io.kueue4j.core;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a fork has not taken over yet of the snapshot that it was made from. Not safe for several
 * threads.
 */
final class Inheritance {
  private final EngineState heir;

  /** Null if nothing is left, so that the snapshot can be dropped. */
  private @Nullable Snapshot snapshot;

  private final Set<String> taken = new HashSet<>();
  private boolean tookThoseWithWork;

  /**
   * Creates an inheritance.
   *
   * @param heir what is taken over goes there
   * @param snapshot where it comes from, null for a state that inherits nothing
   */
  Inheritance(EngineState heir, @Nullable Snapshot snapshot) {
    this.heir = heir;
    this.snapshot = snapshot;
  }

  /** Takes over the unit of {@code member}, if there is one left. */
  void take(Unit.Member member) {
    Snapshot from = snapshot;
    if (from == null) {
      return;
    }
    if (sharesPlaces()) {
      // Nodes and TPU pools are used by workloads of any unit.
      takeAll();
    } else {
      from.copyOf(member, taken, heir.owner()).ifPresent(this::install);
    }
  }

  private boolean sharesPlaces() {
    return heir.inventories().isUsed() || heir.fleets().isUsed();
  }

  /** Takes over everything that is left. */
  void takeAll() {
    Snapshot from = snapshot;
    if (from != null) {
      from.copies(taken, heir.owner()).forEach(this::install);
      snapshot = null;
      taken.clear();
      heir.rebuildInventories();
      heir.rebuildFleets();
    }
  }

  /**
   * Takes over the units that have work for a cycle. What is not taken over does not change, so
   * they are the same ones for good.
   */
  void takeThoseWithWork() {
    Snapshot from = snapshot;
    if (from != null && sharesPlaces()) {
      takeAll();
    } else if (from != null && !tookThoseWithWork) {
      from.copiesOfThoseWithWork(taken, heir.owner()).forEach(this::install);
      tookThoseWithWork = true;
    }
  }

  /** Takes over what a change by {@code objects} reads or writes. */
  void takeFor(List<ConfigObject> objects) {
    if (snapshot == null) {
      return;
    }
    for (ConfigObject object : objects) {
      if (object instanceof ClusterQueue queue) {
        if (heir.queue(queue.name()).isEmpty()) {
          // Some may have been waiting for it.
          takeOutside();
        }
        queue.cohort().ifPresent(heir::cohort);
      } else if (object instanceof Cohort cohort) {
        heir.cohort(cohort.name());
        cohort.parent().ifPresent(heir::cohort);
      } else {
        // Which workloads and queues it concerns is not known by their names.
        takeAll();
      }
    }
  }

  /** Takes over the workloads that are in no queue. */
  void takeOutside() {
    Snapshot from = snapshot;
    if (from != null && !taken.contains(Unit.OUTSIDE)) {
      install(from.copyOf(Unit.OUTSIDE, heir.owner()));
    }
  }

  private void install(Unit unit) {
    taken.add(unit.name());
    heir.install(unit);
  }
}
