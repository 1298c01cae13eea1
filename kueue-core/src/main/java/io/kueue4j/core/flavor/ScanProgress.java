package io.kueue4j.core.flavor;

import io.kueue4j.core.compiled.IdsInUse;
import io.kueue4j.core.compiled.Shape;
import java.util.List;

/**
 * How far the walk over the flavors had come for a workload, kept from one nomination to the next.
 *
 * <p>Rules: F-24, F-25.
 *
 * @param podSets the flavors chosen last time
 * @param cycle the cycle of that nomination
 * @param generation the generation of the queue then
 * @param shape the shape of the workload then
 */
public record ScanProgress(List<PodSetFlavors> podSets, long cycle, long generation, Shape shape) {
  /**
   * {@return whether some flavor has not been looked at, so that another attempt may end
   * differently}
   */
  public boolean hasPendingFlavors() {
    for (PodSetFlavors podSet : podSets) {
      if (podSet.hasUntried()) {
        return true;
      }
    }
    return false;
  }

  /** Adds the ids that it refers to. */
  public void addIds(IdsInUse inUse) {
    podSets.forEach(podSet -> podSet.addIds(inUse));
  }

  int resumeAt(int podSet, int resource) {
    for (PodSetFlavors flavors : podSets) {
      if (flavors.podSet() == podSet) {
        return flavors.resumeAt(resource);
      }
    }
    return 0;
  }
}
