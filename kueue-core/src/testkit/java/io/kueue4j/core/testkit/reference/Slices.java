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
import org.jspecify.annotations.Nullable;

/**
 * The elastic slices of one job, and which of them are needed.
 *
 * <p>Rules: E-8; as section 17 of the rule index has it.
 */
final class Slices {
  private Slices() {}

  /** Ends unneeded elastic slices after one of them has changed. */
  static void settle(State state, Job changed) {
    List<Job> slices = ofJob(state, changed);
    if (slices.size() < 2) {
      return;
    }
    Map<WorkloadId, Job> replacements = new LinkedHashMap<>();
    for (Job slice : slices) {
      Optional<WorkloadId> replaced = slice.workload().replaces();
      if (replaced.isPresent() && !slice.wasEvicted()) {
        Job known = replacements.get(replaced.get());
        if (known == null || (!holdsQuota(known) && holdsQuota(slice))) {
          replacements.put(replaced.get(), slice);
        }
      }
    }
    @Nullable Job running = null;
    Job newest = slices.get(slices.size() - 1);
    for (Job slice : slices) {
      if (slice.wasEvicted()) {
        continue;
      }
      newest = slice;
      if (holdsQuota(slice) && !holdsQuota(replacements.get(slice.id()))) {
        running = slice;
      }
    }
    @Nullable Job waiting = running == null ? null : replacements.get(running.id());
    Job selected = waiting != null ? waiting : running != null ? running : newest;
    for (Job slice : slices) {
      boolean stops = slice.isEvicted() || slice.isStopping();
      if (slice != selected && slice != running && !stops) {
        state.forget(slice);
      }
    }
  }

  private static boolean holdsQuota(@Nullable Job slice) {
    return slice != null && slice.admission().isPresent();
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
        .sorted(
            Comparator.comparing(Job::creationTime).thenComparing(Job::uid).thenComparing(Job::id))
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
