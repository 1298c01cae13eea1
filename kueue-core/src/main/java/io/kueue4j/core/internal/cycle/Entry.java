package io.kueue4j.core.internal.cycle;

import com.google.common.collect.Lists;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fairness.Tournament;
import io.kueue4j.core.internal.preemption.Exemptions;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.state.Head;
import java.util.ArrayList;
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
 * @param exemptions what was refused when victims were searched, null without limits and strict
 *     settings
 * @param settings the settings of the cycle
 */
record Entry(
    Head head,
    Assignment assignment,
    List<Victim> victims,
    @Nullable QuotaHolder replaced,
    @Nullable Exemptions exemptions,
    Settings settings)
    implements Tournament.Contender, Comparable<Entry> {
  /** The order of processing without fair sharing: rule S-7, with ties broken as in X-20. */
  @Override
  public int compareTo(Entry other) {
    if (isPreemptor() != other.isPreemptor()) {
      return isPreemptor() ? -1 : 1;
    }
    int byLevel = Integer.compare(assignment.borrowLevel(), other.assignment.borrowLevel());
    if (byLevel != 0) {
      return byLevel;
    }
    return settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT)
        ? PendingWorkload.compareService(head.pending(), other.head.pending())
        : PendingWorkload.compareAge(head.pending(), other.head.pending());
  }

  @Override
  public boolean isPreemptor() {
    return settings.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)
        && head.queue().pending().isPreemptor(head.pending());
  }

  /** {@return this entry with other places for the pods} */
  Entry withPlaces(Places places) {
    return new Entry(head, assignment.withPlaces(places), victims, replaced, exemptions, settings);
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

  @Override
  public QueueQuota queue() {
    return head.queue().quota();
  }

  @Override
  public int size() {
    return assignment.usage().size();
  }

  @Override
  public FlavorResource pair(int i) {
    return assignment.usage().pair(i);
  }

  @Override
  public long amount(int i) {
    return assignment.usage().amount(i);
  }

  @Override
  public int compareAtEqualShares(Tournament.Contender other) {
    return PendingWorkload.compareWithoutId(
        head.pending(),
        ((Entry) other).head.pending(),
        settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT));
  }
}
