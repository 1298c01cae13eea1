package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * The domains of a topology as dense numbers. Immutable.
 *
 * <p>The domains of a level are numbered in the lexicographic order of their level values. So the
 * number of a domain breaks ties as rule T-27 requires, and the children and leaves of a domain are
 * consecutive.
 *
 * <p>Rules: T-6, T-27.
 */
final class DomainTree {
  private final int[][] parents;
  private final int[][] firstChildren;
  private final String[][] values;

  private DomainTree(int[][] parents, int[][] firstChildren, String[][] values) {
    this.parents = parents;
    this.firstChildren = firstChildren;
    this.values = values;
  }

  /**
   * {@return a tree with these leaves}
   *
   * @param levelCount the number of levels, at least 1
   * @param paths the level values of each leaf, all different, in ascending order
   */
  static DomainTree of(int levelCount, List<ImmutableList<String>> paths) {
    int[][] parents = new int[levelCount][];
    int[][] firstChildren = new int[levelCount][];
    String[][] values = new String[levelCount][];
    int[] domainOfLeaf = new int[paths.size()];
    int above = paths.isEmpty() ? 0 : 1;
    for (int level = 0; level < levelCount; level++) {
      List<Integer> parent = new ArrayList<>();
      List<String> value = new ArrayList<>();
      int[] first = new int[above + 1];
      int previousParent = -1;
      for (int leaf = 0; leaf < paths.size(); leaf++) {
        String own = paths.get(leaf).get(level);
        if (domainOfLeaf[leaf] != previousParent || !own.equals(value.get(value.size() - 1))) {
          if (domainOfLeaf[leaf] != previousParent) {
            previousParent = domainOfLeaf[leaf];
            first[previousParent] = value.size();
          }
          parent.add(previousParent);
          value.add(own);
        }
        domainOfLeaf[leaf] = value.size() - 1;
      }
      first[above] = value.size();
      parents[level] = Ints.toArray(parent);
      values[level] = value.toArray(String[]::new);
      if (level > 0) {
        firstChildren[level - 1] = first;
      }
      above = value.size();
    }
    return new DomainTree(parents, firstChildren, values);
  }

  int levelCount() {
    return values.length;
  }

  int lowestLevel() {
    return values.length - 1;
  }

  int leafCount() {
    return values[lowestLevel()].length;
  }

  int size(int level) {
    return values[level].length;
  }

  /** {@return the parent of a domain} */
  int parent(int level, int domain) {
    return parents[level][domain];
  }

  /** {@return the first child of a domain} */
  int firstChild(int level, int domain) {
    return firstChildren[level][domain];
  }

  /** {@return the domain after the last child of a domain} */
  int endOfChildren(int level, int domain) {
    return firstChildren[level][domain + 1];
  }

  /** {@return the children of domains, in the order of the domains} */
  int[] children(int level, int... domains) {
    int count = 0;
    for (int domain : domains) {
      count += endOfChildren(level, domain) - firstChild(level, domain);
    }
    int[] children = new int[count];
    int size = 0;
    for (int domain : domains) {
      for (int child = firstChild(level, domain); child < endOfChildren(level, domain); child++) {
        children[size++] = child;
      }
    }
    return children;
  }

  /** {@return the domain of level {@code above} that contains a domain of a level} */
  int ancestor(int level, int domain, int above) {
    int ancestor = domain;
    for (int at = level; at > above; at--) {
      ancestor = parents[at][ancestor];
    }
    return ancestor;
  }

  /** {@return the first leaf of a domain} */
  int firstLeaf(int level, int domain) {
    int first = domain;
    for (int at = level; at < lowestLevel(); at++) {
      first = firstChildren[at][first];
    }
    return first;
  }

  /** {@return the leaf after the last one of a domain} */
  int endOfLeaves(int level, int domain) {
    int end = domain + 1;
    for (int at = level; at < lowestLevel(); at++) {
      end = firstChildren[at][end];
    }
    return end;
  }

  /** {@return the values of all levels from the top to a domain} */
  ImmutableList<String> path(int level, int domain) {
    String[] path = new String[level + 1];
    int at = domain;
    for (int l = level; l >= 0; l--) {
      path[l] = values[l][at];
      at = parents[l][at];
    }
    return ImmutableList.copyOf(path);
  }
}
