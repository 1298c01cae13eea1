package io.kueue4j.core.internal.cycle;

import com.google.common.collect.Lists;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fairness.Tournament;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.flavor.Places;
import io.kueue4j.core.internal.preemption.Victim;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A head with its nomination.
 *
 * <p>Rules: S-7, S-8, E-6, X-20.
 *
 * @param head the head
 * @param assignment the nominated flavors
 * @param victims the workloads to preempt for it
 * @param replaced the elastic slice that finishes when the head is admitted, null if there is none
 */
record Entry(
    Head head,
    Assignment assignment,
    List<Victim> victims,
    @Nullable QuotaHolder replaced) {
  /** The order of processing without fair sharing: rule S-7, with ties broken as in X-20. */
  static Comparator<Entry> order(CycleRules rules) {
    return (a, b) -> {
      boolean isPreemptor = a.isPreemptor(rules);
      if (isPreemptor != b.isPreemptor(rules)) {
        return isPreemptor ? -1 : 1;
      }
      int byLevel = Integer.compare(a.assignment.borrowLevel(), b.assignment.borrowLevel());
      if (byLevel != 0) {
        return byLevel;
      }
      return rules.sortsByPriority()
          ? PendingWorkload.compareService(a.head.pending(), b.head.pending())
          : PendingWorkload.compareAge(a.head.pending(), b.head.pending());
    };
  }

  /** {@return whether the entry goes first because its head waits for its victims} */
  boolean isPreemptor(CycleRules rules) {
    return rules.prioritizesPreemptors() && head.queue().pending().isPreemptor(head.pending());
  }

  /** {@return this entry with other places for the pods} */
  Entry withPlaces(Places places) {
    return new Entry(head, assignment.withPlaces(places), victims, replaced);
  }

  /** {@return all workloads that have stopped once the head runs, the replaced slice first} */
  List<QuotaHolder> leaving() {
    if (replaced == null) {
      return victims.isEmpty() ? List.of() : Lists.transform(victims, Victim::holder);
    }
    List<QuotaHolder> leaving = new ArrayList<>(victims.size() + 1);
    leaving.add(replaced);
    victims.forEach(victim -> leaving.add(victim.holder()));
    return leaving;
  }

  /** {@return this entry as a contender of a tournament} */
  Contender contender(CycleRules rules) {
    return new Contender(this, rules);
  }

  /** An entry under fair sharing. */
  record Contender(Entry entry, CycleRules rules) implements Tournament.Contender {
    @Override
    public QueueQuota queue() {
      return entry.head.queue().quota();
    }

    @Override
    public int size() {
      return entry.assignment.size();
    }

    @Override
    public FlavorResource pair(int i) {
      return entry.assignment.pair(i);
    }

    @Override
    public long amount(int i) {
      return entry.assignment.amount(i);
    }

    @Override
    public boolean isPreemptor() {
      return entry.isPreemptor(rules);
    }

    @Override
    public int compareAtEqualShares(Tournament.Contender other) {
      return PendingWorkload.compareWithoutId(
          entry.head.pending(), ((Contender) other).entry.head.pending(), rules.sortsByPriority());
    }
  }
}
