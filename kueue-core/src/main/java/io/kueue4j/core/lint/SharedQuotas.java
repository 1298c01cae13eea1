package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Lists;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Sets;
import com.google.common.graph.Traverser;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What ClusterQueues and cohorts lend and could get if nothing ran.
 *
 * <p>Nodes of the trees are named by their keys, such as {@code Cohort research}, whether the
 * cohort was applied or is only referred to. All ClusterQueues count, active or not. The rules that
 * use these figures play what follows from them, so that a difference to the engine loses a finding
 * and never makes a wrong one.
 */
final class SharedQuotas {
  /**
   * A quota and where it stands.
   *
   * @param quota the quota
   * @param field the path of the quota in its object
   */
  record Declared(ResourceQuota quota, String field) {}

  /**
   * A pair of a tree.
   *
   * @param root the root of the tree
   * @param pair the pair
   */
  record TreePair(String root, QuotaPair pair) {}

  /** The figures of a pair by the place of a node in its tree. */
  private static final class Figures {
    private final long[] subtree;
    private final long[] potential;

    private Figures(int nodes) {
      subtree = new long[nodes];
      potential = new long[nodes];
    }
  }

  private final Map<String, Map<QuotaPair, Declared>> declared = new LinkedHashMap<>();
  private final Map<String, String> parents = new HashMap<>();
  private final Map<String, String> roots = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();

  /** The nodes of each tree, parents before children. */
  private final ListMultimap<String, String> trees = ArrayListMultimap.create();

  private final ListMultimap<String, ClusterQueue> queuesByRoot =
      MultimapBuilder.linkedHashKeys().arrayListValues().build();
  private final Map<TreePair, ImmutableList<ClusterQueue>> queuesOfPair = new HashMap<>();
  private final Map<TreePair, Figures> figures = new HashMap<>();

  SharedQuotas(List<Cohort> cohorts, List<ClusterQueue> queues) {
    ListMultimap<String, String> children =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (Cohort cohort : cohorts) {
      declared.put(cohort.key(), declared(cohort.resourceGroups()));
      cohort.parent().ifPresent(parent -> children.put(cohortKey(parent), cohort.key()));
    }
    for (ClusterQueue queue : queues) {
      declared.put(queue.key(), declared(queue.resourceGroups()));
      queue.cohort().ifPresent(cohort -> children.put(cohortKey(cohort), queue.key()));
    }
    children.forEach((parent, child) -> parents.put(child, parent));
    for (String node : Sets.union(declared.keySet(), children.keySet())) {
      if (!parents.containsKey(node)) {
        Traverser.forTree(children::get).breadthFirst(node).forEach(below -> {
          roots.put(below, node);
          places.put(below, trees.get(node).size());
          trees.put(node, below);
        });
      }
    }
    queues.forEach(queue -> queuesByRoot.put(root(queue.key()), queue));
  }

  /** {@return the key of a cohort} */
  static String cohortKey(String name) {
    return "Cohort " + name;
  }

  private static Map<QuotaPair, Declared> declared(List<ResourceGroup> groups) {
    Map<QuotaPair, Declared> found = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      List<FlavorQuotas> flavors = groups.get(i).flavors();
      for (int j = 0; j < flavors.size(); j++) {
        List<ResourceQuota> quotas = flavors.get(j).resources();
        for (int k = 0; k < quotas.size(); k++) {
          found.put(
              new QuotaPair(flavors.get(j).flavor(), quotas.get(k).resource()),
              new Declared(
                  quotas.get(k),
                  "resourceGroups[%d].flavors[%d].resources[%d]".formatted(i, j, k)));
        }
      }
    }
    return found;
  }

  /** {@return the quotas of a ClusterQueue or cohort, in the order of its resource groups} */
  Map<QuotaPair, Declared> of(String node) {
    return declared.getOrDefault(node, Map.of());
  }

  /** {@return the first pair of a node with a flavor} */
  Optional<QuotaPair> pairOf(String node, String flavor) {
    return of(node).keySet().stream()
        .filter(pair -> pair.flavor().equals(flavor))
        .findFirst();
  }

  /** {@return the cohort above a node, absent above a root} */
  Optional<String> parent(String node) {
    return Optional.ofNullable(parents.get(node));
  }

  /** {@return the root of the tree of a node, the node itself if nothing is above it} */
  String root(String node) {
    return roots.getOrDefault(node, node);
  }

  /** {@return whether {@code node} is {@code above} or below it} */
  boolean isWithin(String node, String above) {
    String each = node;
    while (each != null && !each.equals(above)) {
      each = parents.get(each);
    }
    return each != null;
  }

  /** {@return the ClusterQueues of a tree} */
  ImmutableList<ClusterQueue> queues(String root) {
    return ImmutableList.copyOf(queuesByRoot.get(root));
  }

  /** {@return the ClusterQueues of a tree with quota of a pair} */
  ImmutableList<ClusterQueue> queues(String root, QuotaPair pair) {
    return queuesOfPair.computeIfAbsent(
        new TreePair(root, pair),
        key -> queuesByRoot.get(root).stream()
            .filter(queue -> of(queue.key()).containsKey(pair))
            .collect(toImmutableList()));
  }

  /** {@return the roots of trees with a ClusterQueue, cohorts and single queues} */
  ImmutableList<String> roots() {
    return ImmutableList.copyOf(queuesByRoot.keySet());
  }

  /** {@return the nominal quota} */
  long nominal(String node, QuotaPair pair) {
    Declared found = of(node).get(pair);
    return found == null ? 0 : found.quota().nominalQuota();
  }

  /** {@return the quota of a node and what its children lend to it} */
  long subtree(String node, QuotaPair pair) {
    return figures(node, pair).subtree[place(node)];
  }

  /** {@return what a node lends, at most} */
  long lent(String node, QuotaPair pair) {
    return lent(node, pair, subtree(node, pair));
  }

  private long lent(String node, QuotaPair pair, long subtree) {
    Declared found = of(node).get(pair);
    return found == null
        ? subtree
        : Math.min(subtree, found.quota().lendingLimit().orElse(subtree));
  }

  /** {@return what a node could get at most} */
  long potential(String node, QuotaPair pair) {
    return figures(node, pair).potential[place(node)];
  }

  /** {@return what a node could get at most if it had no borrowing limit of its own} */
  long potentialWithoutLimit(String node, QuotaPair pair) {
    return potentialWithoutLimit(node, pair, figures(node, pair));
  }

  private long potentialWithoutLimit(String node, QuotaPair pair, Figures known) {
    long subtree = known.subtree[place(node)];
    String parent = parents.get(node);
    return parent == null
        ? subtree
        : Amount.add(
            Amount.subtract(subtree, lent(node, pair, subtree)), known.potential[place(parent)]);
  }

  private int place(String node) {
    return places.getOrDefault(node, 0);
  }

  private Figures figures(String node, QuotaPair pair) {
    return figures.computeIfAbsent(new TreePair(root(node), pair), this::compute);
  }

  private Figures compute(TreePair key) {
    List<String> nodes = trees.get(key.root());
    QuotaPair pair = key.pair();
    Figures computed = new Figures(nodes.size());
    for (String node : Lists.reverse(nodes)) {
      int at = place(node);
      computed.subtree[at] = Amount.add(computed.subtree[at], nominal(node, pair));
      parent(node).ifPresent(parent -> {
        int above = place(parent);
        computed.subtree[above] =
            Amount.add(computed.subtree[above], lent(node, pair, computed.subtree[at]));
      });
    }
    for (String node : nodes) {
      int at = place(node);
      Declared found = of(node).get(pair);
      OptionalLong limit = found == null ? OptionalLong.empty() : found.quota().borrowingLimit();
      long unlimited = potentialWithoutLimit(node, pair, computed);
      computed.potential[at] = limit.isEmpty()
          ? unlimited
          : Math.min(unlimited, Amount.add(computed.subtree[at], limit.getAsLong()));
    }
    return computed;
  }
}
