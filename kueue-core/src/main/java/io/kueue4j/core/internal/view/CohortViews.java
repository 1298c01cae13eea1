package io.kueue4j.core.internal.view;

import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Builds the views of cohorts, queue by queue. Not thread-safe. */
final class CohortViews {
  private final Map<String, Cohort> cohorts = new TreeMap<>();

  private static final class Cohort {
    final Optional<String> parent;
    final String root;
    final long share;
    final List<String> queues = new ArrayList<>();
    final Map<FlavorResource, long[]> quotaAndUsage = new TreeMap<>();

    Cohort(Optional<String> parent, String root, long share) {
      this.parent = parent;
      this.root = root;
      this.share = share;
    }
  }

  /** Adds a queue with all cohorts above it. */
  void add(QueueQuota queue) {
    QuotaTree tree = queue.tree();
    ImmutableList<String> above = queue.cohortsAbove();
    int node = queue.node();
    for (int i = 0; i < above.size(); i++) {
      node = tree.parent(node);
      Optional<String> parent =
          Optional.of(i + 1).filter(next -> next < above.size()).map(above::get);
      long share = Share.of(tree, queue.layout(), node).reported();
      Cohort cohort = cohorts.computeIfAbsent(
          above.get(i), name -> new Cohort(parent, above.get(above.size() - 1), share));
      cohort.queues.add(queue.name());
      addUsage(queue, node, cohort);
    }
  }

  private static void addUsage(QueueQuota queue, int node, Cohort cohort) {
    QuotaTree tree = queue.tree();
    for (int column = 0; column < tree.columnCount(); column++) {
      long used = tree.usage(queue.node(), column);
      if (used == 0 && !tree.isDeclared(node, column)) {
        continue;
      }
      long[] figures =
          cohort.quotaAndUsage.computeIfAbsent(tree.pair(column), unused -> new long[2]);
      figures[0] = tree.subtree(node, column);
      figures[1] = Amount.add(figures[1], used);
    }
  }

  /** {@return the views by name} */
  ImmutableSortedMap<String, CohortView> toViews() {
    return cohorts.entrySet().stream()
        .map(entry -> view(entry.getKey(), entry.getValue()))
        .collect(
            toImmutableSortedMap(Comparator.naturalOrder(), CohortView::name, Function.identity()));
  }

  private static CohortView view(String name, Cohort cohort) {
    ImmutableList.Builder<CohortView.SubtreeUsage> usage = ImmutableList.builder();
    cohort.quotaAndUsage.forEach((pair, figures) -> usage.add(new CohortView.SubtreeUsage(
        pair.flavor(), pair.resource().name(), figures[0], figures[1])));
    return new CohortView(
        name,
        cohort.parent,
        cohort.root,
        cohort.share,
        ImmutableList.sortedCopyOf(cohort.queues),
        usage.build());
  }
}
