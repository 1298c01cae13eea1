package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.resource.Amount;
import java.util.List;

/**
 * The missing amount of a resource in a flavor for a workload.
 *
 * @param pair the flavor and the resource
 * @param missing the missing amount
 * @param limit the limit that its ClusterQueue would exceed
 */
public record Shortage(Pair pair, long missing, QuotaFigures.Limit limit) {
  /**
   * A resource in a flavor.
   *
   * @param flavor the flavor
   * @param resource the resource
   */
  public record Pair(String flavor, String resource) {}

  /**
   * {@return the shortages by flavor, in the order of the reasons; only flavors that fail because
   * of shortages alone}
   */
  static ImmutableListMultimap<String, Shortage> byFlavor(List<Reason> reasons) {
    ImmutableList<String> obstructed = reasons.stream()
        .filter(reason -> reason.figures().isEmpty())
        .flatMap(reason -> reason.flavor().stream())
        .collect(toImmutableList());
    ImmutableList<Shortage> shortages = reasons.stream()
        .filter(reason -> !obstructed.contains(reason.flavor().orElse("")))
        .flatMap(reason -> reason.figures().stream().map(figures -> of(reason, figures)))
        .collect(toImmutableList());
    return Multimaps.index(shortages, shortage -> shortage.pair.flavor());
  }

  private static Shortage of(Reason reason, QuotaFigures figures) {
    return new Shortage(
        new Pair(reason.flavor().orElseThrow(), reason.resource().orElseThrow()),
        Amount.subtract(figures.requested(), figures.available()),
        figures.limit());
  }
}
