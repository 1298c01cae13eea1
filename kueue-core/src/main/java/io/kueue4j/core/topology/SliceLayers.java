package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * How pods are kept together in slices, for one topology. Immutable.
 *
 * <p>Rules: T-19, T-48, T-83, T-84.
 *
 * @param level the level whose domains no slice may leave
 * @param size the number of pods in a slice, 1 if there are no slices
 * @param layers the layers as asked for, coarsest first, empty if there are no slices
 * @param unitByLevel the number of pods that are taken together from a domain of each level below
 *     {@code level}, 1 if they are taken one by one
 */
record SliceLayers(
    int level, int size, ImmutableList<Layer> layers, ImmutableList<Integer> unitByLevel) {
  /**
   * Slices, or parts of slices, of one size.
   *
   * @param level the level whose domains they may not leave
   * @param size the number of pods
   */
  record Layer(int level, int size) {}

  /** {@return that pods are placed one by one} */
  static SliceLayers none(int levelCount) {
    return new SliceLayers(
        levelCount - 1,
        1,
        ImmutableList.of(),
        ImmutableList.copyOf(Collections.nCopies(levelCount, 1)));
  }

  /** {@return slices of these layers, each at a finer level than the one before} */
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

  /** {@return the finest layer whose slices so many pods do not fill, null if there is none} */
  @Nullable
  Layer innermostBroken(int podCount) {
    for (Layer layer : layers.reverse()) {
      if (podCount % layer.size() != 0) {
        return layer;
      }
    }
    return null;
  }

  /** {@return slices of the finest layer only that so many pods fill, none if there is no such} */
  SliceLayers innermostOf(int podCount, int levelCount) {
    for (Layer layer : layers.reverse()) {
      if (podCount % layer.size() == 0) {
        return of(ImmutableList.of(layer), levelCount);
      }
    }
    return none(levelCount);
  }

  /** {@return the number of pods taken together from a domain of {@code level}} */
  int unit(int at) {
    return at <= level ? size : unitByLevel.get(at);
  }
}
