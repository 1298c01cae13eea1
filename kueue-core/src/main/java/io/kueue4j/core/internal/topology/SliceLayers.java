package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * The layers of topology slices of a request, for one topology. Immutable.
 *
 * <p>Rules: T-19, T-48, T-83, T-84.
 *
 * @param level the level of which each slice must be in one domain
 * @param size the number of pods in a slice, 1 if there are no slices
 * @param layers the requested layers, coarsest first, empty if there are no slices
 * @param unitByLevel the number of pods that are placed together in a domain of each level below
 *     {@code level}, 1 if they are placed one by one
 */
record SliceLayers(
    int level, int size, ImmutableList<Layer> layers, ImmutableList<Integer> unitByLevel) {
  /**
   * One layer of slices.
   *
   * @param level the level of which each slice must be in one domain
   * @param size the number of pods
   */
  record Layer(int level, int size) {}

  /** {@return no slices: pods are placed one by one} */
  static SliceLayers none(int levelCount) {
    return new SliceLayers(
        levelCount - 1,
        1,
        ImmutableList.of(),
        ImmutableList.copyOf(Collections.nCopies(levelCount, 1)));
  }

  /** {@return slices with these layers, each at a finer level than the one before} */
  static SliceLayers of(ImmutableList<Layer> layers, int levelCount) {
    Integer[] units = new Integer[levelCount];
    Arrays.fill(units, 1);
    for (int i = 1; i < layers.size(); i++) {
      for (int level = layers.get(i - 1).level() + 1; level <= layers.get(i).level(); level++) {
        units[level] = layers.get(i).size();
      }
    }
    return new SliceLayers(
        layers.get(0).level(), layers.get(0).size(), layers, ImmutableList.copyOf(units));
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
        return of(ImmutableList.of(layer), levelCount);
      }
    }
    return none(levelCount);
  }

  /** {@return the number of pods that are placed together in a domain of level {@code at}} */
  int unit(int at) {
    return at <= level ? size : at < unitByLevel.size() ? unitByLevel.get(at) : 1;
  }
}
