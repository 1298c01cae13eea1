package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.Comparator;
import java.util.List;

/**
 * The messages for pods that could not be placed.
 *
 * <p>Rules: T-63, T-64, T-65.
 */
final class Failure {
  private Failure() {}

  /** T-63. */
  static String text(String topology, long fitting, long wanted, int sliceSize, String suffix) {
    String unit = sliceSize == 1 ? "pod(s)" : "slice(s)";
    String fits = fitting == 0
        ? "doesn't allow to fit any of "
        : "allows to fit only " + fitting + " out of ";
    return "topology \"" + topology + "\" " + fits + wanted + " " + unit + suffix;
  }

  /** T-65: for the best domain of the level where the search ended. */
  static String layersText(
      String topology, DomainTree tree, Wish wish, long wantedPods, int level) {
    Domain best = Order.byPath(tree.atLevel(level)).stream()
        .max(Comparator.comparingLong((Domain domain) -> domain.slices))
        .orElseThrow();
    StringBuilder text =
        new StringBuilder("topology \"").append(topology).append("\" doesn't allow to fit");
    for (SliceConstraint layer : wish.slices().layers()) {
      long fitting = below(best, wish.levels().indexOf(layer.topology()), tree).stream()
          .mapToLong(domain -> domain.pods / layer.size())
          .sum();
      text.append("; ")
          .append(fitting)
          .append("/")
          .append(wantedPods / layer.size())
          .append(" slice(s) fit on level ")
          .append(layer.topology());
    }
    return text.append(tree.statistics.suffix()).toString();
  }

  private static List<Domain> below(Domain ancestor, int level, DomainTree tree) {
    return tree.atLevel(level).stream()
        .filter(domain -> domain.path.subList(0, ancestor.path.size()).equals(ancestor.path))
        .toList();
  }
}
