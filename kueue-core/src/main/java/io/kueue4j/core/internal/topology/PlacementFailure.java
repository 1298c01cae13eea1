package io.kueue4j.core.internal.topology;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;

/**
 * Why pods have no place, in figures and in Kueue's words.
 *
 * <p>Rules: T-19, T-63, T-64, T-65.
 *
 * @param topology the name of the topology
 * @param problem why the request itself is invalid, empty if it only does not fit
 * @param fitting the number of units that fit
 * @param wanted the number of requested units
 * @param unit the unit, {@code pod} or {@code slice}
 * @param layers the fit of each layer of slices, empty unless there are several
 * @param nodeCount the number of leaves
 * @param exclusions the number of excluded leaves, by reason
 */
public record PlacementFailure(
    String topology,
    String problem,
    int fitting,
    int wanted,
    String unit,
    ImmutableList<Layer> layers,
    int nodeCount,
    ImmutableSortedMap<String, Integer> exclusions) {
  /**
   * The fit of one layer of slices.
   *
   * @param level the level of which each slice must be in one domain
   * @param fitting the number of slices that fit
   * @param wanted the number of requested slices
   */
  public record Layer(String level, int fitting, int wanted) {}

  /** {@return the failure of an invalid request} */
  public static PlacementFailure of(String topology, String problem) {
    return new PlacementFailure(
        topology, problem, 0, 0, "", ImmutableList.of(), 0, ImmutableSortedMap.of());
  }

  /** {@return the text that Kueue gives} */
  @Override
  public String toString() {
    if (!problem.isEmpty()) {
      return problem;
    }
    StringBuilder text = new StringBuilder("topology \"" + topology + "\" ");
    if (!layers.isEmpty()) {
      text.append("doesn't allow to fit");
      layers.forEach(layer -> text.append(
          "; " + layer.fitting + "/" + layer.wanted + " slice(s) fit on level " + layer.level));
    } else if (fitting <= 0) {
      text.append("doesn't allow to fit any of " + wanted + " " + unit + "(s)");
    } else {
      text.append("allows to fit only " + fitting + " out of " + wanted + " " + unit + "(s)");
    }
    if (!exclusions.isEmpty()) {
      text.append(". Total nodes: " + nodeCount + "; excluded: "
          + Joiner.on(", ").withKeyValueSeparator(": ").join(exclusions));
    }
    return text.toString();
  }
}
