package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

/**
 * The layers of topology slices of a request, for one topology. Immutable.
 *
 * <p>Rules: T-19, T-48, T-83, T-84.
 *
 * @param level the level of which each slice must be in one domain
 * @param size the number of pods in a slice, 1 if there are no slices
 * @param layers the requested layers, coarsest first, empty if there are no slices
 */
record SliceLayers(int level, int size, ImmutableList<Layer> layers) {
  /**
   * One layer of slices.
   *
   * @param level the level of which each slice must be in one domain
   * @param size the number of pods
   */
  record Layer(int level, int size) {}

  /** {@return no slices: pods are placed one by one} */
  static SliceLayers none(int levelCount) {
    return new SliceLayers(levelCount - 1, 1, ImmutableList.of());
  }

  /** {@return slices with these layers, each at a finer level than the one before} */
  static SliceLayers of(ImmutableList<Layer> layers) {
    return new SliceLayers(layers.get(0).level(), layers.get(0).size(), layers);
  }

  /**
   * {@return the finest layer whose slices {@code podCount} pods do not fill, null if there is
   * none}
   */
  @Nullable
  Layer innermostBroken(int podCount) {
    for (Layer layer : layers.reverse()) {
      if (podCount % layer.size() != 0) {
        return layer;
      }
    }
    return null;
  }

  /**
   * {@return slices with only the finest layer that {@code podCount} pods fill, no slices if there
   * is none}
   */
  SliceLayers innermostOf(int podCount, int levelCount) {
    for (Layer layer : layers.reverse()) {
      if (podCount % layer.size() == 0) {
        return of(ImmutableList.of(layer));
      }
    }
    return none(levelCount);
  }

  /**
   * {@return the number of pods that are placed together in a domain of a level, 1 if they are
   * placed one by one}
   */
  int unit(int at) {
    for (Layer layer : layers) {
      if (at <= layer.level()) {
        return layer.size();
      }
    }
    return 1;
  }
}
