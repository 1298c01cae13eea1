package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetUpdate;
import io.kueue4j.core.model.Workload;
import java.util.Arrays;
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
    PodSet[] podSets = workload.podSets().toArray(PodSet[]::new);
    for (int i = 0; i < podSets.length; i++) {
      for (AdmissionCheckState check : checks.byName()) {
        if (check.state() != CheckState.READY) {
          continue;
        }
        for (PodSetUpdate update : check.podSetUpdates()) {
          if (update.name().equals(podSets[i].name())) {
            if (contradicts(podSets[i], update)) {
              return Optional.empty();
            }
            podSets[i] = apply(podSets[i], update);
          }
        }
      }
    }
    return Optional.of(
        Workload.builder().from(workload).podSets(Arrays.asList(podSets)).build());
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
