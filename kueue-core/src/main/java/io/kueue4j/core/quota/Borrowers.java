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

  /** The observers that receive every change of usage. */
  private final List<TreeObserver> usageObservers = new ArrayList<>(0);

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

  boolean isUsageObserved() {
    return !usageObservers.isEmpty();
  }

  void tellOfUsage(int node) {
    for (int i = 0; i < usageObservers.size(); i++) {
      usageObservers.get(i).usageChanged(node);
    }
  }

  void tellOfQueue(int node) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).queueChanged(node);
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
    forgetObservers();
    for (BitSet ofColumn : nodes) {
      ofColumn.clear();
    }
  }

  /** Drops the observers, which are made again when they are needed. */
  public void forgetObservers() {
    observers.clear();
    usageObservers.clear();
  }

  /** {@return who observes the tree; not to be changed} */
  public List<TreeObserver> observers() {
    return observers;
  }

  /** Tells {@code observer} of changes; who has observed longest may be told no more. */
  public void observe(TreeObserver observer) {
    if (observers.size() == GREATEST_OBSERVERS) {
      usageObservers.remove(observers.remove(0));
    }
    observers.add(observer);
  }

  /** Reports changes of usage, too, to {@code observer}, which observes the tree already. */
  public void observeUsage(TreeObserver observer) {
    if (observers.contains(observer)) {
      usageObservers.add(observer);
    }
  }
}
