package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Applies what passed admission checks add to pods.
 *
 * <p>Rules: T-14.
 */
public final class PodSetUpdates {
  private PodSetUpdates() {}

  /**
   * {@return the workload with the node selectors and tolerations that its passed checks add; empty
   * if these contradict each other or the pod set}
   */
  public static Optional<Workload> apply(Workload workload, CheckList checks) {
    boolean changes =
        checks.byName().stream().anyMatch(check -> !check.podSetUpdates().isEmpty());
    if (!changes) {
      return Optional.of(workload);
    }
    List<PodSet> podSets = new ArrayList<>();
    for (PodSet podSet : workload.podSets()) {
      PodSet updated = podSet;
      for (PodSetUpdate update : updates(checks, podSet.name())) {
        if (contradicts(updated, update)) {
          return Optional.empty();
        }
        updated = apply(updated, update);
      }
      podSets.add(updated);
    }
    return Optional.of(Workload.builder().from(workload).podSets(podSets).build());
  }

  private static List<PodSetUpdate> updates(CheckList checks, String podSet) {
    return checks.byName().stream()
        .filter(check -> check.state() == CheckState.READY)
        .flatMap(check -> check.podSetUpdates().stream())
        .filter(update -> update.name().equals(podSet))
        .toList();
  }

  private static boolean contradicts(PodSet podSet, PodSetUpdate update) {
    return update.nodeSelector().entrySet().stream().anyMatch(label -> {
      String known = podSet.nodeSelector().get(label.getKey());
      return known != null && !known.equals(label.getValue());
    });
  }

  private static PodSet apply(PodSet podSet, PodSetUpdate update) {
    TreeMap<String, String> selector = new TreeMap<>(podSet.nodeSelector());
    selector.putAll(update.nodeSelector());
    return PodSet.builder()
        .from(podSet)
        .nodeSelector(selector)
        .addAllTolerations(update.tolerations())
        .build();
  }
}
