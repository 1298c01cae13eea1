package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Ordering;
import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.ColumnMap;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one flavor in the domains of its topology, and what is free on them.
 *
 * <p>A leaf of an inventory is a domain of the last level of the topology: what an assignment
 * names, and what usage is charged to. If nodes are counted one by one, the tree has a level of
 * nodes below: a leaf of the tree is then a node, which has the room of that node but none of the
 * usage, and the leaf of the inventory above it bounds what its nodes take together.
 *
 * <p>Trial changes of usage happen between {@link #checkpoint()} and {@link #rollback()}.
 *
 * <p>Rules: T-2, T-5, T-6, T-7, T-8, T-11, T-13, T-50, T-51, T-64, T-73.
 */
public final class Inventory {
  /**
   * The maximum total number of leaves of all cached counts, and the minimum number of cached
   * counts.
   */
  private static final int KEPT_LEAVES = 2_000_000;

  private static final int KEPT_COUNTS = 16;
  private static final int MOST_COUNTS = 256;
  private static final Comparator<Iterable<String>> BY_VALUES =
      Ordering.<String>natural().lexicographical();

  private final Topology topology;
  private final ResourceFlavor flavor;
  private final DomainTree tree;

  /** Whether the tree has a level of nodes below the last level of the topology. */
  private final boolean countsNodes;

  /** The node of each leaf of the tree, the first of several; copied before a change. */
  private Node[] nodes;

  /** The leaves of the tree that consist of several nodes. */
  private final BitSet shared;

  private final ImmutableSortedMap<String, Integer> columns;
  private final ImmutableMap<ImmutableList<String>, Integer> leaves;

  /** What is free on the leaves of the tree and then, if nodes are counted, on the leaves. */
  private final LeafUsage usage;

  private LeafFilter filter;
  private final LinkedHashMap<FitKey, FitCounts> counts =
      new LinkedHashMap<>(KEPT_COUNTS, 0.75f, true);

  /** A leaf during construction: its level values and its nodes, in the order of their names. */
  private record Leaf(ImmutableList<String> path, List<Node> nodes) {}

  private Inventory(
      Topology topology,
      ResourceFlavor flavor,
      List<Leaf> leafList,
      Catalog catalog,
      boolean countsNodes) {
    this.topology = topology;
    this.flavor = flavor;
    this.countsNodes = countsNodes;
    List<Leaf> bottom = countsNodes ? eachNode(leafList) : leafList;
    this.tree = DomainTree.of(
        topology.levels().size() + (countsNodes ? 1 : 0),
        bottom.stream().map(Leaf::path).toList());
    this.nodes = bottom.stream().map(leaf -> leaf.nodes.get(0)).toArray(Node[]::new);
    this.columns = columns(leafList);
    ImmutableMap.Builder<ImmutableList<String>, Integer> ids = ImmutableMap.builder();
    for (int leaf = 0; leaf < leafList.size(); leaf++) {
      ids.put(key(topology, leafList.get(leaf).path), leaf);
    }
    this.leaves = ids.buildOrThrow();
    List<Leaf> rows = new ArrayList<>(bottom);
    this.shared = new BitSet();
    for (int leaf = 0; leaf < bottom.size(); leaf++) {
      shared.set(leaf, bottom.get(leaf).nodes.size() > 1);
    }
    if (countsNodes) {
      rows.addAll(leafList);
    }
    this.usage = usage(rows, catalog);
    this.filter = newFilter();
  }

  /** Creates an independent copy with the same usage; there must be no trial. */
  Inventory(Inventory other) {
    this.topology = other.topology;
    this.flavor = other.flavor;
    this.tree = other.tree;
    this.countsNodes = other.countsNodes;
    this.nodes = other.nodes;
    this.shared = other.shared;
    this.columns = other.columns;
    this.leaves = other.leaves;
    this.usage = other.usage.fork();
    this.filter = newFilter();
  }

  private static List<Leaf> eachNode(List<Leaf> leafList) {
    List<Leaf> each = new ArrayList<>();
    for (Leaf leaf : leafList) {
      for (Node node : leaf.nodes) {
        each.add(new Leaf(
            ImmutableList.<String>builder().addAll(leaf.path).add(node.name()).build(),
            List.of(node)));
      }
    }
    return each;
  }

  /**
   * {@return the inventory of {@code flavor} with the nodes among {@code nodes} that belong to it}
   *
   * @param nodes the nodes, in the order of their names
   * @param countsEachNode whether nodes are counted one by one even if the topology does not end in
   *     hosts
   */
  public static Inventory of(
      Topology topology,
      ResourceFlavor flavor,
      Collection<Node> nodes,
      Catalog catalog,
      boolean countsEachNode) {
    Map<ImmutableList<String>, Leaf> leaves = new LinkedHashMap<>();
    for (Node node : nodes) {
      if (belongs(node, topology, flavor)) {
        ImmutableList<String> path = path(node, topology);
        leaves
            .computeIfAbsent(key(topology, path), unused -> new Leaf(path, new ArrayList<>()))
            .nodes
            .add(node);
      }
    }
    List<Leaf> sorted = new ArrayList<>(leaves.values());
    sorted.sort((a, b) -> BY_VALUES.compare(a.path, b.path));
    return new Inventory(
        topology, flavor, sorted, catalog, countsEachNode && !topology.endsInHosts());
  }

  private static ImmutableList<String> path(Node node, Topology topology) {
    return topology.levels().stream()
        .map(level -> node.labels().getOrDefault(level, ""))
        .collect(ImmutableList.toImmutableList());
  }

  private static boolean belongs(Node node, Topology topology, ResourceFlavor flavor) {
    return node.ready() && !node.unschedulable() && hasLabels(node, topology, flavor);
  }

  /** {@return whether a node has the labels of a flavor, and one for each level of its topology} */
  public static boolean hasLabels(Node node, Topology topology, ResourceFlavor flavor) {
    return node.labels().keySet().containsAll(topology.levels())
        && node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet());
  }

  /** {@return the key of a leaf: the host name alone if leaves are hosts, else all level values} */
  private static ImmutableList<String> key(Topology topology, ImmutableList<String> path) {
    return topology.endsInHosts() ? path.subList(path.size() - 1, path.size()) : path;
  }

  private static ImmutableSortedMap<String, Integer> columns(List<Leaf> leafList) {
    TreeMap<String, Integer> columns = new TreeMap<>();
    for (Leaf leaf : leafList) {
      for (Node node : leaf.nodes) {
        node.allocatable().keySet().forEach(name -> columns.putIfAbsent(name, columns.size()));
      }
    }
    return ImmutableSortedMap.copyOfSorted(columns);
  }

  private LeafUsage usage(List<Leaf> leafList, Catalog catalog) {
    ColumnMap<ResourceName> columnOfResource = ColumnMap.of(
        columns.keySet().stream().map(catalog::resource).toArray(ResourceName[]::new),
        Ints.toArray(columns.values()));
    long[] capacity = new long[leafList.size() * columns.size()];
    for (int leaf = 0; leaf < leafList.size(); leaf++) {
      long[] ofLeaf = capacity(leafList.get(leaf).nodes);
      System.arraycopy(ofLeaf, 0, capacity, leaf * columns.size(), ofLeaf.length);
    }
    return new LeafUsage(leafList.size(), columns.size(), columnOfResource, capacity);
  }

  /** {@return the total capacity of nodes for pods that the engine places, by column} */
  private long[] capacity(List<Node> nodes) {
    long[] capacity = new long[columns.size()];
    for (Node node : nodes) {
      node.allocatable().forEach((name, amount) -> {
        int column = columns.getOrDefault(name, 0);
        capacity[column] = Amount.add(capacity[column], amount);
      });
      node.usedByOthers().forEach((name, amount) -> {
        Integer column = columns.get(name);
        if (column != null) {
          capacity[column] = Amount.subtract(capacity[column], amount);
        }
      });
    }
    return capacity;
  }

  /**
   * Applies a change of a node, if it changes no domain.
   *
   * @param before the node as it was, null if it is new
   * @return whether the change was applied
   */
  boolean update(@Nullable Node before, Node after) {
    boolean belonged = before != null && belongs(before, topology, flavor);
    if (before == null || !belonged || !belongs(after, topology, flavor)) {
      return !belonged && !belongs(after, topology, flavor);
    }
    ImmutableList<String> path = path(before, topology);
    int leaf = indexOf(before, path);
    if (!path.equals(path(after, topology))
        || leaf < 0
        || shared.get(leaf)
        || !columns.keySet().containsAll(after.allocatable().keySet())) {
      return false;
    }
    usage.setCapacity(leaf, capacity(ImmutableList.of(after)));
    nodes = nodes.clone();
    nodes[leaf] = after;
    if (countsNodes) {
      int above = tree.parent(tree.lowestLevel(), leaf);
      usage.setCapacity(row(above), capacity(nodesOf(above)));
    }
    if (!before.taints().equals(after.taints()) || !before.labels().equals(after.labels())) {
      filter = newFilter();
      counts.clear();
    }
    return true;
  }

  /** {@return the leaf of the tree whose first node is {@code node}, negative if there is none} */
  private int indexOf(Node node, ImmutableList<String> path) {
    OptionalInt leaf = leaf(key(topology, path));
    if (leaf.isEmpty()) {
      return -1;
    }
    int first = leaf.getAsInt();
    int end = first + 1;
    if (countsNodes) {
      end = tree.endOfChildren(leafLevel(), first);
      first = tree.firstChild(leafLevel(), first);
    }
    for (int at = first; at < end; at++) {
      if (nodes[at].equals(node)) {
        return at;
      }
    }
    return -1;
  }

  /** {@return the nodes of a leaf, if nodes are counted} */
  private List<Node> nodesOf(int leaf) {
    return Arrays.asList(nodes)
        .subList(tree.firstChild(leafLevel(), leaf), tree.endOfChildren(leafLevel(), leaf));
  }

  /** {@return the level of the tree that the leaves are of} */
  private int leafLevel() {
    return countsNodes ? tree.lowestLevel() - 1 : tree.lowestLevel();
  }

  /** {@return the row of {@link #usage} of a leaf} */
  private int row(int leaf) {
    return countsNodes ? tree.leafCount() + leaf : leaf;
  }

  /** {@return the topology} */
  public Topology topology() {
    return topology;
  }

  /** {@return the flavor} */
  public ResourceFlavor flavor() {
    return flavor;
  }

  /**
   * {@return the levels of topology assignments: the host name alone if leaves are hosts, else all
   * levels}
   */
  public List<String> assignedLevels() {
    return topology.endsInHosts() ? ImmutableList.of(Topology.HOSTNAME) : topology.levels();
  }

  /** {@return the number of leaves} */
  public int leafCount() {
    return leaves.size();
  }

  /** {@return the leaf with these values of {@link #assignedLevels}, empty if there is none} */
  public OptionalInt leaf(List<String> values) {
    Integer leaf = leaves.get(values);
    return leaf == null ? OptionalInt.empty() : OptionalInt.of(leaf);
  }

  /** {@return the values of a leaf for {@link #assignedLevels}} */
  public ImmutableList<String> values(int leaf) {
    return key(topology, tree.path(leafLevel(), leaf));
  }

  /** Charges {@code count} pods to a leaf, or uncharges them if {@code count} is negative. */
  public void charge(int leaf, PodRequest request, int count) {
    usage.charge(row(leaf), request, count);
  }

  /**
   * Charges {@code count} pods of the workload that is being placed to a leaf. It is not known
   * which of its nodes they take.
   */
  public void assume(int leaf, PodRequest request, int count) {
    usage.assume(row(leaf), request, count);
  }

  /** Closes a node, so that it has no room for further pods, or opens it again. */
  void setClosed(Node node, boolean isClosed) {
    if (belongs(node, topology, flavor)) {
      ImmutableList<String> path = path(node, topology);
      long[] room = capacity(ImmutableList.of(node));
      int sign = isClosed ? 1 : -1;
      usage.take(row(leaf(key(topology, path)).orElseThrow()), room, sign);
      if (countsNodes) {
        usage.take(indexOf(node, path), room, sign);
      }
    }
  }

  /** {@return whether the leaves of the tree are nodes below the leaves} */
  boolean countsNodes() {
    return countsNodes;
  }

  /**
   * Charges {@code count} pods of the workload that is being placed to a leaf of the tree and, if
   * it is a node, to the leaf above it.
   */
  void assumeBelow(int leaf, PodRequest request, int count) {
    usage.assume(leaf, request, count);
    if (countsNodes) {
      assume(tree.parent(tree.lowestLevel(), leaf), request, count);
    }
  }

  /** {@return a place on leaves of the tree as one on leaves} */
  Placement.Fits onLeaves(Placement.Fits below) {
    if (!countsNodes) {
      return below;
    }
    int lowest = tree.lowestLevel();
    return new Placement.Fits(
        LeafCount.sum(below.leaves().stream()
            .map(node -> new LeafCount(tree.parent(lowest, node.leaf()), node.count()))),
        below.leaderLeaf() < 0 ? -1 : tree.parent(lowest, below.leaderLeaf()));
  }

  /**
   * {@return the number of pods that fit a leaf by their own requests, regardless of the node's
   * {@code pods}; 0 if they request nothing; rule T-73}
   */
  public int fittingByOwnRequests(int leaf, PodRequest request) {
    return request.namesResources() ? fitting(leaf, request, true) : 0;
  }

  /** {@return the number of pods that fit a leaf} */
  public int fitting(int leaf, PodRequest request) {
    return fitting(leaf, request, false);
  }

  private int fitting(int leaf, PodRequest request, boolean ownOnly) {
    int fitting = fittingRow(row(leaf), request, ownOnly);
    if (!countsNodes) {
      return fitting;
    }
    long onNodes = 0;
    int end = tree.endOfChildren(leafLevel(), leaf);
    for (int node = tree.firstChild(leafLevel(), leaf); node < end; node++) {
      onNodes += fittingRow(node, request, ownOnly);
    }
    return (int) Math.min(fitting, onNodes);
  }

  private int fittingRow(int row, PodRequest request, boolean ownOnly) {
    long fitting = Integer.MAX_VALUE;
    for (int i = 0; i < request.size(); i++) {
      long perPod = ownOnly ? request.ownAmount(i) : request.amount(i);
      if (perPod > 0) {
        fitting = Math.min(fitting, usage.free(row, request.resource(i), true) / perPod);
      }
    }
    return (int) fitting;
  }

  /** {@return the free amount of a resource on a leaf, 0 if it is overused} */
  public long free(int leaf, ResourceName resource) {
    return usage.free(row(leaf), resource, true);
  }

  /** Drops all fit counts; they are computed again when needed. */
  void forgetCounts() {
    counts.clear();
  }

  /** Begins a trial. */
  void checkpoint() {
    usage.checkpoint();
  }

  /** Ends the trial that began last and undoes its changes of usage. */
  void rollback() {
    usage.rollback();
  }

  /** {@return the domain of {@code level} that contains a leaf} */
  int ancestor(int leaf, int level) {
    return tree.ancestor(leafLevel(), leaf, level);
  }

  DomainTree tree() {
    return tree;
  }

  LeafUsage usage() {
    return usage;
  }

  /** {@return which leaves of the tree pods may use} */
  LeafFilter filter() {
    return filter;
  }

  private LeafFilter newFilter() {
    boolean isByNode = countsNodes || topology.endsInHosts();
    return new LeafFilter(tree, flavor.tolerations(), isByNode ? nodes : null);
  }

  /** {@return the fit counts of the leaves from {@code firstLeaf} to before {@code endOfLeaves}} */
  FitCounts counts(FitKey key, int firstLeaf, int endOfLeaves) {
    FitCounts some = new FitCounts(key, tree, usage, firstLeaf, endOfLeaves);
    some.refresh();
    return some;
  }

  /** {@return the updated fit counts} */
  FitCounts counts(FitKey key) {
    FitCounts known =
        counts.computeIfAbsent(key, unused -> new FitCounts(key, tree, usage, 0, tree.leafCount()));
    if (counts.size()
        > Math.max(KEPT_COUNTS, Math.min(MOST_COUNTS, KEPT_LEAVES / tree.leafCount()))) {
      counts.remove(counts.keySet().iterator().next());
    }
    known.refresh();
    return known;
  }
}
