package io.kueue4j.core.quota;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which nodes of a tree use more than their own quota, by column, and who is told when that or the
 * workloads that hold the quota change.
 *
 * <p>Rules: Q-10.
 */
public final class Borrowers {
  /** Observers are dear to keep and cheap to make again; beyond these the first one goes. */
  static final int GREATEST_OBSERVERS = 64;

  private final BitSet[] nodes;

  /** Read by index: there is mostly nobody, and an iterator would be garbage of every change. */
  private final List<TreeObserver> observers = new ArrayList<>(0);

  Borrowers(int columns) {
    nodes = new BitSet[columns];
    Arrays.setAll(nodes, column -> new BitSet());
  }

  /** Creates a copy, which nobody observes. */
  Borrowers(Borrowers other) {
    nodes = new BitSet[other.nodes.length];
    Arrays.setAll(nodes, column -> (BitSet) other.nodes[column].clone());
  }

  /** {@return the first node from {@code node} on that borrows, negative if there is none} */
  public int next(int node, int column) {
    return nodes[column].nextSetBit(node);
  }

  /** Notes a change of one node. */
  void change(int node, int column, boolean borrows) {
    nodes[column].set(node, borrows);
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).borrowingChanged(node, column);
    }
  }

  void tellOfActivity(int node) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).activityChanged(node);
    }
  }

  void tellOfAddition(QuotaHolder candidate) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).candidateAdded(candidate);
    }
  }

  void tellOfRemoval(QuotaHolder candidate) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).candidateRemoved(candidate);
    }
  }

  /** Notes that all may have changed. Nobody observes the tree any more. */
  void reset() {
    observers.clear();
    for (BitSet ofColumn : nodes) {
      ofColumn.clear();
    }
  }

  /** {@return who observes the tree; not to be changed} */
  public List<TreeObserver> observers() {
    return observers;
  }

  /** Tells {@code observer} of changes; who has observed longest may be told no more. */
  public void observe(TreeObserver observer) {
    if (observers.size() == GREATEST_OBSERVERS) {
      observers.remove(0);
    }
    observers.add(observer);
  }
}
