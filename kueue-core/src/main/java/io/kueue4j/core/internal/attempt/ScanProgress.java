package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.compiled.Shape;
import java.util.List;

/**
 * Where the search over the flavors of a workload ended, kept from one nomination to the next.
 *
 * <p>Rules: F-24, F-25.
 *
 * @param podSets the flavors chosen last time
 * @param cycle the cycle of that nomination
 * @param generation the generation of the queue at that time
 * @param shape the shape of the workload at that time
 */
public record ScanProgress(List<PodSetFlavors> podSets, long cycle, long generation, Shape shape) {
  /** {@return whether a flavor has not been tried, so that another attempt may end differently} */
  public boolean hasPendingFlavors() {
    for (PodSetFlavors podSet : podSets) {
      if (podSet.hasUntried()) {
        return true;
      }
    }
    return false;
  }

  public int resumeAt(int podSet, ResourceName resource) {
    for (PodSetFlavors flavors : podSets) {
      if (flavors.podSet() == podSet) {
        return flavors.resumeAt(resource);
      }
    }
    return 0;
  }
}
