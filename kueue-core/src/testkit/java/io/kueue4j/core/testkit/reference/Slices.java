package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.WorkloadId;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The elastic slices of one job, and which of them are needed.
 *
 * <p>Rules: E-8; as section 17 of the rule index has it.
 */
final class Slices {
  private static final Comparator<Job> OLDEST_FIRST =
      Comparator.comparing(Job::creationTime).thenComparing(Job::uid).thenComparing(Job::id);

  private Slices() {}

  /** Ends unneeded elastic slices after one of them has changed. */
  static void settle(State state, Job changed) {
    List<Job> slices = ofJob(state, changed);
    if (slices.size() < 2) {
      return;
    }
    Set<Job> kept = kept(slices, null);
    for (Job slice : slices) {
      boolean stops = slice.isEvicted() || slice.isStopping();
      if (!kept.contains(slice) && !stops) {
        state.forget(slice);
      }
    }
  }

  /** {@return whether a slice would end at once if it was admitted to {@code queue} now} */
  static boolean isObsolete(State state, Job tried, String queue) {
    Optional<Job> replaced = tried
        .replaces()
        .flatMap(id -> state.holders(queue).stream()
            .filter(holder -> holder.id().equals(id))
            .findFirst());
    List<Job> slices = Stream.concat(ofJob(state, tried).stream(), Stream.of(tried))
        .distinct()
        .filter(slice -> replaced.filter(slice::equals).isEmpty())
        .sorted(OLDEST_FIRST)
        .toList();
    return tried.isSlice() && !kept(slices, tried).contains(tried);
  }

  /**
   * {@return the slice that runs, and the one that is needed beside it or in its place}
   *
   * @param admitted counts as if it had just been admitted
   */
  private static Set<Job> kept(List<Job> slices, @Nullable Job admitted) {
    List<Job> wanted = slices.stream()
        .filter(slice -> slice == admitted || !slice.wasEvicted())
        .toList();
    if (wanted.isEmpty()) {
      return Set.of(slices.get(slices.size() - 1));
    }
    Map<WorkloadId, Job> replacements = new LinkedHashMap<>();
    for (Job slice : wanted) {
      Optional<WorkloadId> replaced = slice.workload().replaces();
      if (replaced.isPresent()) {
        Job known = replacements.get(replaced.get());
        if (known == null || (!holdsQuota(known, admitted) && holdsQuota(slice, admitted))) {
          replacements.put(replaced.get(), slice);
        }
      }
    }
    @Nullable Job running = null;
    for (Job slice : wanted) {
      if (holdsQuota(slice, admitted) && !holdsQuota(replacements.get(slice.id()), admitted)) {
        running = slice;
      }
    }
    if (running == null) {
      return Set.of(wanted.get(wanted.size() - 1));
    }
    Job waiting = replacements.get(running.id());
    return waiting == null ? Set.of(running) : Set.of(running, waiting);
  }

  private static boolean holdsQuota(@Nullable Job slice, @Nullable Job admitted) {
    return slice != null && (slice == admitted || slice.admission().isPresent());
  }

  /** {@return the elastic slices that replace each other or share a name, oldest first} */
  private static List<Job> ofJob(State state, Job one) {
    if (!one.isSlice()) {
      return List.of();
    }
    Set<WorkloadId> names = new HashSet<>(names(one));
    List<Job> all = state.jobs().stream().filter(Job::isSlice).toList();
    for (boolean grows = true; grows; ) {
      grows = false;
      for (Job slice : all) {
        grows |= !Collections.disjoint(names, names(slice)) && names.addAll(names(slice));
      }
    }
    return all.stream()
        .filter(slice -> names.contains(slice.id()))
        .sorted(OLDEST_FIRST)
        .toList();
  }

  private static Set<WorkloadId> names(Job slice) {
    Set<WorkloadId> names = new HashSet<>();
    names.add(slice.id());
    slice.workload().replaces().ifPresent(names::add);
    slice
        .workload()
        .sliceName()
        .map(name -> WorkloadId.of(slice.id().namespace(), name))
        .ifPresent(names::add);
    return names;
  }
}
