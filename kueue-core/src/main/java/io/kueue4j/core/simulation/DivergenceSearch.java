package io.kueue4j.core.simulation;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Comparison.Divergence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the first divergence of two simulations. Events of one time may be in any order. */
record DivergenceSearch(SimulationResult base, SimulationResult other) {
  /** An event, comparable with one of another simulation. */
  private record Event(EventKind kind, int job, String detail) {}

  Optional<Divergence> first() {
    EventLog before = base.log();
    EventLog after = other.log();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      long time = Math.min(time(before, i), time(after, j));
      int endBefore = end(before, i, time);
      int endAfter = end(after, j, time);
      Optional<Divergence> found =
          compare(time, events(before, i, endBefore), events(after, j, endAfter));
      if (found.isPresent()) {
        return found;
      }
      i = endBefore;
      j = endAfter;
    }
    return Optional.empty();
  }

  private static long time(EventLog log, int event) {
    return event < log.size() ? log.time(event) : Long.MAX_VALUE;
  }

  private static int end(EventLog log, int from, long time) {
    int end = from;
    while (end < log.size() && log.time(end) == time) {
      end++;
    }
    return end;
  }

  private List<Event> events(EventLog log, int from, int to) {
    List<Event> events = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      events.add(new Event(
          log.kind(i), log.subject(i), EventKind.detail(log, i, base.plan().trace())));
    }
    return events;
  }

  private Optional<Divergence> compare(long time, List<Event> before, List<Event> after) {
    if (before.equals(after)) {
      return Optional.empty();
    }
    Multiset<Event> missing = HashMultiset.create(before);
    after.forEach(missing::remove);
    Multiset<Event> added = HashMultiset.create(after);
    before.forEach(added::remove);
    // What started or stopped a job first: that has reasons.
    Optional<Event> onlyBefore = before.stream().filter(missing::contains).findFirst();
    Optional<Event> onlyAfter = after.stream().filter(added::contains).findFirst();
    return onlyBefore
        .map(event -> divergence(time, event, true))
        .or(() -> onlyAfter.map(event -> divergence(time, event, false)));
  }

  private Divergence divergence(long time, Event event, boolean inBase) {
    Instant at = Instant.ofEpochMilli(time);
    Optional<WorkloadId> job = event.job < 0
        ? Optional.empty()
        : Optional.of(base.plan().trace().job(event.job).id());
    boolean starts = event.kind == EventKind.ADMITTED || event.kind == EventKind.RESERVED;
    SimulationResult waiting = starts == inBase ? other : base;
    return new Divergence(
        at,
        job,
        event.kind + (event.detail.isEmpty() ? "" : " " + event.detail),
        inBase,
        job.map(id -> reasons(waiting, id, at)).orElse(ImmutableList.of()));
  }

  private static List<Reason> reasons(SimulationResult waiting, WorkloadId job, Instant time) {
    AdmissionEngine engine = waiting.viewAt(time).whatIf();
    return engine.workload(job).isPresent() ? engine.explain(job).reasons() : ImmutableList.of();
  }
}
