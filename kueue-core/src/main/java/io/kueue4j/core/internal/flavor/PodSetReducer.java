package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Partial admission: searches the largest number of pods, at least {@code minCount}, that can be
 * admitted.
 *
 * <p>Whether a number fits need not be monotone, so the sequence of probes is part of the rules.
 *
 * <p>Rules.
 */
public final class PodSetReducer {
  private PodSetReducer() {}

  /**
   * Searches.
   *
   * @param workload the workload; there is no trial if it cannot shrink
   * @param trial tries the given counts by pod set; returns null if they do not fit
   * @return the result of {@code trial} for the largest counts found to fit, null if none fit
   */
  public static <T> @Nullable T search(
      CompiledWorkload workload, Function<int[], @Nullable T> trial) {
    int total = workload.shrinkablePods();
    if (total == 0) {
      return null;
    }
    int low = 0;
    int high = total + 1;
    T found = null;
    while (low < high) {
      int middle = (low + high) >>> 1;
      T result = trial.apply(counts(workload, middle));
      if (result == null) {
        low = middle + 1;
      } else {
        found = result;
        high = middle;
      }
    }
    return found;
  }

  private static int[] counts(CompiledWorkload workload, int step) {
    int[] counts = new int[workload.size()];
    for (int i = 0; i < counts.length; i++) {
      CompiledPodSet podSet = workload.podSet(i);
      long shrunk = (long) CompiledWorkload.shrinkable(podSet) * step / workload.shrinkablePods();
      counts[i] = podSet.source().count() - (int) shrunk;
    }
    return counts;
  }
}
