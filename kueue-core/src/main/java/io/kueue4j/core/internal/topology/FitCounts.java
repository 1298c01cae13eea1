package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The number of pods, and of topology slices, of one kind that fit each domain, alone and besides a
 * leader pod. Updated incrementally: the cost of {@link #refresh} depends on what has changed.
 *
 * <p>Rules: T-13, T-24, T-25, T-26, T-48, T-64.
 */
final class FitCounts {
  private static final int UNLIMITED = -1;

  private final FitKey key;
  private final DomainTree tree;
  private final LeafUsage usage;
  private final int firstLeaf;
  private final int endOfLeaves;

  /**
   * The level whose domains have usage of their own, which bounds what fits below them; negative if
   * usage is kept by leaf.
   */
  private final int boundedLevel;

  private final Level[] levels;

  /** For each leaf that fits no pod, the resource of the request that is missing. */
  private final short[] limiting;

  private final int[] fullLeaves;
  /** The number of changes of usage that are counted, -1 before the first count. */
  private long seen = -1;

  /** What fits the domains of one level. */
  private static final class Level {
    final int[] pods;
    final int[] slices;
    final int[] podsBesideLeader;
    final int[] slicesBesideLeader;
    final boolean[] hostsLeader;

    /** The domains whose counts must be updated. */
    final BitSet stale = new BitSet();

    Level(int size, boolean withLeader) {
      this.pods = new int[size];
      this.slices = new int[size];
      this.podsBesideLeader = withLeader ? new int[size] : pods;
      this.slicesBesideLeader = withLeader ? new int[size] : slices;
      this.hostsLeader = new boolean[size];
    }

    void clear(int first, int end) {
      Arrays.fill(pods, first, end, 0);
      Arrays.fill(slices, first, end, 0);
      clearLeader(first, end);
    }

    void clearLeader(int first, int end) {
      Arrays.fill(podsBesideLeader, first, end, 0);
      Arrays.fill(slicesBesideLeader, first, end, 0);
      Arrays.fill(hostsLeader, first, end, false);
    }

    void restore(Level other, int first, int end) {
      System.arraycopy(other.pods, first, pods, first, end - first);
      System.arraycopy(other.slices, first, slices, first, end - first);
      System.arraycopy(other.podsBesideLeader, first, podsBesideLeader, first, end - first);
      System.arraycopy(other.slicesBesideLeader, first, slicesBesideLeader, first, end - first);
      System.arraycopy(other.hostsLeader, first, hostsLeader, first, end - first);
    }

    /**
     * Sets the counts of a domain.
     *
     * @return whether they have changed
     */
    boolean set(
        int domain, int fit, int besideLeader, int fitSlices, int slicesBeside, boolean hosts) {
      boolean same = pods[domain] == fit
          && podsBesideLeader[domain] == besideLeader
          && slices[domain] == fitSlices
          && slicesBesideLeader[domain] == slicesBeside
          && hostsLeader[domain] == hosts;
      pods[domain] = fit;
      podsBesideLeader[domain] = besideLeader;
      slices[domain] = fitSlices;
      slicesBesideLeader[domain] = slicesBeside;
      hostsLeader[domain] = hosts;
      return !same;
    }
  }

  /** Counts on the leaves from {@code firstLeaf} on, before {@code endOfLeaves}. */
  FitCounts(FitKey key, DomainTree tree, LeafUsage usage, int firstLeaf, int endOfLeaves) {
    this.key = key;
    this.tree = tree;
    this.usage = usage;
    this.firstLeaf = firstLeaf;
    this.endOfLeaves = endOfLeaves;
    this.boundedLevel = usage.leafCount() > tree.leafCount() ? tree.lowestLevel() - 1 : -1;
    this.levels = new Level[tree.levelCount()];
    Arrays.setAll(levels, level -> new Level(tree.size(level), key.leader() != null));
    this.limiting = new short[tree.leafCount()];
    Arrays.fill(limiting, (short) UNLIMITED);
    this.fullLeaves = new int[key.pod().size()];
  }

  /**
   * {@return a copy for trials, which ignores changes of usage; parts of it may be cleared and
   * restored}
   */
  FitCounts copy() {
    FitCounts copy = new FitCounts(key, tree, usage, firstLeaf, endOfLeaves);
    copy.restore(this, 0, 0, tree.size(0));
    return copy;
  }

  /** Sets the counts of a domain to 0. */
  void clear(int level, int domain) {
    forEachLevelBelow(level, domain, domain + 1, (at, from, to) -> levels[at].clear(from, to));
  }

  /** Marks a domain as unable to host the leader. */
  void clearLeader(int level, int domain) {
    forEachLevelBelow(
        level, domain, domain + 1, (at, from, to) -> levels[at].clearLeader(from, to));
  }

  /**
   * Recomputes the counts of a domain above the leaves from its children. As in Kueue, children
   * then count with all pods, even if only whole slices of an inner layer fit them.
   */
  void recount(int level, int domain) {
    boolean mayHaveBeenCut = key.slices().layers().size() > 1 && level + 1 < tree.lowestLevel();
    int end = mayHaveBeenCut ? tree.endOfChildren(level, domain) : 0;
    for (int child = mayHaveBeenCut ? tree.firstChild(level, domain) : 0; child < end; child++) {
      recount(level + 1, child);
    }
    rollUp(level, domain, 1);
  }

  /** Copies the counts of the domains from {@code first} to {@code end} from {@code other}. */
  void restore(FitCounts other, int level, int first, int end) {
    forEachLevelBelow(
        level, first, end, (at, from, to) -> levels[at].restore(other.levels[at], from, to));
  }

  /** Acts on consecutive domains of a level. */
  private interface RangeAction {
    void accept(int level, int first, int end);
  }

  private void forEachLevelBelow(int level, int first, int end, RangeAction action) {
    int from = first;
    int to = end;
    for (int at = level; ; at++) {
      action.accept(at, from, to);
      if (at == tree.lowestLevel() || from == to) {
        return;
      }
      from = tree.firstChild(at, from);
      to = tree.endOfChildren(at, to - 1);
    }
  }

  FitKey key() {
    return key;
  }

  DomainTree tree() {
    return tree;
  }

  /** {@return the number of pods that fit a domain} */
  int pods(int level, int domain) {
    return levels[level].pods[domain];
  }

  /** {@return the number of pods that fit a domain besides the leader} */
  int podsBesideLeader(int level, int domain) {
    return levels[level].podsBesideLeader[domain];
  }

  /** {@return the number of slices that fit a domain, 0 below the level of the slices} */
  int slices(int level, int domain) {
    return levels[level].slices[domain];
  }

  /** {@return the number of slices that fit a domain besides the leader} */
  int slicesBesideLeader(int level, int domain) {
    return levels[level].slicesBesideLeader[domain];
  }

  /** {@return whether a leaf of a domain can host the leader} */
  boolean hostsLeader(int level, int domain) {
    return levels[level].hostsLeader[domain];
  }

  /** {@return how much the pods prefer a domain} */
  long score(int level, int domain) {
    return key.scores().score(level, domain);
  }

  /** {@return the number of leaves that fit no pod, by reason} */
  ImmutableSortedMap<String, Integer> exclusions() {
    ImmutableSortedMap.Builder<String, Integer> found = ImmutableSortedMap.naturalOrder();
    found.putAll(key.matches().exclusions());
    for (int i = 0; i < fullLeaves.length; i++) {
      if (fullLeaves[i] > 0) {
        found.put("resource \"" + key.pod().resource(i).name() + "\"", fullLeaves[i]);
      }
    }
    return found.build();
  }

  int firstLeaf() {
    return firstLeaf;
  }

  int endOfLeaves() {
    return endOfLeaves;
  }

  /** Updates the counts after changes of usage. */
  void refresh() {
    long end = usage.changeCount();
    if (seen == end) {
      return;
    }
    if (seen < usage.firstKnownChange() || end - seen > tree.leafCount() + 16) {
      countAll();
      return;
    }
    int lowest = tree.lowestLevel();
    for (long change = seen; change < end; change++) {
      int row = usage.changedLeaf(change);
      if (row < tree.leafCount()) {
        levels[lowest].stale.set(row);
      } else {
        levels[boundedLevel].stale.set(row - tree.leafCount());
      }
    }
    seen = end;
    for (int level = lowest; level >= 0; level--) {
      BitSet stale = levels[level].stale;
      for (int at = stale.nextSetBit(0); at >= 0; at = stale.nextSetBit(at + 1)) {
        boolean changed = level == lowest ? countLeaf(at) : rollUp(level, at, innerUnit(level));
        if (changed && level > 0) {
          levels[level - 1].stale.set(tree.parent(level, at));
        }
      }
      stale.clear();
    }
  }

  private void countAll() {
    seen = usage.changeCount();
    for (int leaf = firstLeaf; leaf < endOfLeaves; leaf++) {
      countLeaf(leaf);
    }
    for (int level = tree.lowestLevel() - 1; level >= 0; level--) {
      for (int domain = 0; domain < tree.size(level); domain++) {
        rollUp(level, domain, innerUnit(level));
      }
    }
  }

  /** {@return the number of pods of an inner slice at the level below, 1 if there is none} */
  private int innerUnit(int level) {
    return key.slices().level() <= level ? key.slices().unit(level + 1) : 1;
  }

  /**
   * Recomputes the counts of a leaf.
   *
   * @return whether they have changed
   */
  private boolean countLeaf(int leaf) {
    boolean forPods = key.matches().passes(leaf);
    PodRequest leader = key.leader();
    boolean forLeader = leader != null && key.leaderMatches().passes(leaf);
    if (leaf < firstLeaf || leaf >= endOfLeaves || !(forPods || forLeader)) {
      return false;
    }
    int lowest = tree.lowestLevel();
    int fit = forPods ? countPods(leaf) : 0;
    boolean hosts = leader != null && forLeader && room(leaf, leader, null) > 0;
    int besideLeader = leader != null && forPods && hosts ? room(leaf, key.pod(), leader) : fit;
    boolean atSlices = key.slices().level() == lowest;
    return levels[lowest].set(
        leaf,
        fit,
        besideLeader,
        atSlices ? fit / key.slices().size() : 0,
        atSlices ? besideLeader / key.slices().size() : 0,
        hosts);
  }

  private int countPods(int leaf) {
    int fit = Integer.MAX_VALUE;
    int limit = UNLIMITED;
    for (int i = 0; i < key.pod().size(); i++) {
      long free = usage.free(leaf, key.pod().resource(i), key.countsUsage());
      int fitting = Ints.saturatedCast(free / key.pod().amount(i));
      if (fitting < fit) {
        fit = fitting;
        limit = i;
      }
    }
    noteLimit(leaf, fit == 0 ? limit : UNLIMITED);
    return fit;
  }

  private void noteLimit(int leaf, int limit) {
    if (limiting[leaf] != limit) {
      if (limiting[leaf] != UNLIMITED) {
        fullLeaves[limiting[leaf]]--;
      }
      if (limit != UNLIMITED) {
        fullLeaves[limit]++;
      }
      limiting[leaf] = (short) limit;
    }
  }

  /** {@return the number of pods that fit beside another one that fits, null for none} */
  private int room(int row, PodRequest pod, @Nullable PodRequest other) {
    int fit = Integer.MAX_VALUE;
    for (int i = 0; i < pod.size(); i++) {
      ResourceName resource = pod.resource(i);
      long free = usage.free(row, resource, key.countsUsage())
          - (other == null ? 0 : other.amountOf(resource));
      fit = Math.min(fit, Ints.saturatedCast(free / pod.amount(i)));
    }
    return fit;
  }

  /**
   * Recomputes the counts of a domain as the sum over its children, of each only whole units of
   * {@code unit} pods.
   *
   * @return whether they have changed
   */
  private boolean rollUp(int level, int domain, int unit) {
    PodRequest leader = key.leader();
    boolean withLeader = leader != null;
    Level below = levels[level + 1];
    long podSum = 0;
    long sliceSum = 0;
    int podPenalty = Integer.MAX_VALUE;
    int slicePenalty = Integer.MAX_VALUE;
    boolean hosts = false;
    int end = tree.endOfChildren(level, domain);
    for (int child = tree.firstChild(level, domain); child < end; child++) {
      int childPods = below.pods[child];
      int rounded = childPods - childPods % unit;
      podSum += rounded;
      sliceSum += below.slices[child];
      if (withLeader && below.hostsLeader[child]) {
        hosts = true;
        int beside = below.podsBesideLeader[child];
        podPenalty = Math.min(podPenalty, rounded - (beside - beside % unit));
        slicePenalty =
            Math.min(slicePenalty, below.slices[child] - below.slicesBesideLeader[child]);
      }
    }
    int fit = Ints.saturatedCast(podSum);
    int fitSlices = Ints.saturatedCast(sliceSum);
    int beside = !withLeader ? fit : hosts ? fit - podPenalty : 0;
    int besideSlices = !withLeader ? fitSlices : hosts ? fitSlices - slicePenalty : 0;
    if (level == boundedLevel) {
      int row = tree.leafCount() + domain;
      fit = Math.min(fit, room(row, key.pod(), null));
      boolean hasRoom = leader != null && room(row, leader, null) > 0;
      hosts &= hasRoom;
      beside = Math.min(Math.max(0, beside), room(row, key.pod(), hasRoom ? leader : null));
    }
    if (level == key.slices().level()) {
      fitSlices = fit / key.slices().size();
      besideSlices = beside / key.slices().size();
    }
    return levels[level].set(domain, fit, beside, fitSlices, besideSlices, hosts);
  }
}
