package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.fairness.Tournament;
import io.kueue4j.core.internal.preemption.PreemptionBounds;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.Tried;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling cycle over some heads. The quota trees are unchanged when it ends; the caller
 * applies the attempts.
 *
 * <p>Rules: Q-13, S-1, S-4, S-6, S-7, S-8, S-9.
 *
 * @param nominator nominates heads
 * @param settings the settings
 * @param inadmissibility returns why a head cannot be evaluated, null if it can
 * @param guard holds back heads that could proceed otherwise
 * @param promises holds back heads that would delay a promised start
 */
public record SchedulingCycle(
    Nominator nominator,
    Settings settings,
    Function<Head, @Nullable Attempt> inadmissibility,
    PreemptionGuard guard,
    PromiseGuard promises) {
  /**
   * Runs the cycle.
   *
   * @param heads the heads, at most one of each ClusterQueue
   * @param cycle the number of the cycle
   * @param now the time
   * @param bounds the limits of preemption, null if there are none
   * @return the result for each head, in the order of processing
   */
  public List<Tried> run(
      List<Head> heads, long cycle, Instant now, @Nullable PreemptionBounds bounds) {
    List<Tried> tried = new ArrayList<>(heads.size());
    List<Entry> entries = new ArrayList<>(heads.size());
    List<Entry> promised = new ArrayList<>();
    for (Head head : heads) {
      Attempt attempt = inadmissibility.apply(head);
      Assignment assignment = attempt == null ? promises.promised(head, now) : null;
      if (attempt != null) {
        tried.add(new Tried(head, attempt));
      } else if (assignment != null) {
        promised.add(new Entry(head, assignment, List.of(), null, null, settings));
      } else {
        entries.add(nominator.nominate(head, cycle, bounds));
      }
    }
    EntryProcessor processor =
        new EntryProcessor(nominator, settings, guard, promises, bounds, cycle, now);
    try {
      Collections.sort(promised);
      for (Entry entry : promised) {
        tried.add(new Tried(entry.head(), processor.process(entry)));
      }
      if (settings.fairSharing().isPresent()) {
        Tournament<Entry> tournament = new Tournament<>(
            entries,
            settings.isEnabled(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING),
            processor::usageOfShares);
        for (Entry next = tournament.next(); next != null; next = tournament.next()) {
          tried.add(new Tried(next.head(), processor.process(next)));
        }
      } else {
        Collections.sort(entries);
        for (Entry entry : entries) {
          tried.add(new Tried(entry.head(), processor.process(entry)));
        }
      }
    } finally {
      processor.restore();
    }
    return tried;
  }
}
