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

  /** The result: the updated workload, or a contradiction. */
  public sealed interface Outcome {
    /**
     * The updates are consistent.
     *
     * @param workload the updated workload
     */
    record Updated(Workload workload) implements Outcome {}

    /**
     * The updates contradict each other or the pod set.
     *
     * @param problem the contradiction in words
     */
    record Contradiction(String problem) implements Outcome {}
  }

  /** {@return the workload with the node selectors and tolerations that its passed checks add} */
  public static Outcome apply(Workload workload, CheckList checks) {
    boolean changes =
        checks.byName().stream().anyMatch(check -> !check.podSetUpdates().isEmpty());
    if (!changes) {
      return new Outcome.Updated(workload);
    }
    Workload.Builder updated = Workload.builder().from(workload);
    PodSet[] podSets = workload.podSets().toArray(PodSet[]::new);
    for (int i = 0; i < podSets.length; i++) {
      for (AdmissionCheckState check : checks.byName()) {
        if (check.state() != CheckState.READY) {
          continue;
        }
        for (PodSetUpdate update : check.podSetUpdates()) {
          if (update.name().equals(podSets[i].name())) {
            Optional<String> conflict = conflict(podSets[i], update);
            if (conflict.isPresent()) {
              return new Outcome.Contradiction(
                  "invalid podSetUpdate for PodSet " + podSets[i].name()
                      + ", error: admission check " + check.name() + ": " + conflict.get());
            }
            podSets[i] = apply(podSets[i], update);
          }
        }
      }
    }
    return new Outcome.Updated(updated.podSets(Arrays.asList(podSets)).build());
  }

  private static Optional<String> conflict(PodSet podSet, PodSetUpdate update) {
    return update.nodeSelector().entrySet().stream()
        .filter(label -> {
          String known = podSet.nodeSelector().get(label.getKey());
          return known != null && !known.equals(label.getValue());
        })
        .map(label -> "node selector " + label.getKey() + "=" + label.getValue()
            + " contradicts the node selector of pod set " + podSet.name() + ", which has "
            + podSet.nodeSelector().get(label.getKey()))
        .findFirst();
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
