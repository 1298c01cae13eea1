package io.kueue4j.core.internal.quota;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The nodes of a tree whose usage exceeds their own quota, by column, and the observers that are
 * notified when this, or the workloads that hold quota, change.
 *
 * <p>Rules: Q-10.
 */
public final class Borrowers {
  /**
   * The maximum number of observers. Keeping an observer is expensive and creating it again is
   * cheap, so the oldest one is dropped.
   */
  static final int GREATEST_OBSERVERS = 64;

  private final BitSet[] nodes;

  /** Read by index, because an iterator would be garbage of every change. */
  private final List<TreeObserver> observers = new ArrayList<>(0);

  /** The observers that receive every change of usage. */
  private final List<TreeObserver> usageObservers = new ArrayList<>(0);

  Borrowers(int columns) {
    nodes = new BitSet[columns];
    Arrays.setAll(nodes, column -> new BitSet());
  }

  /** Creates a copy without observers. */
  Borrowers(Borrowers other) {
    nodes = new BitSet[other.nodes.length];
    Arrays.setAll(nodes, column -> (BitSet) other.nodes[column].clone());
  }

  /** {@return the first node from {@code node} on that borrows, negative if there is none} */
  public int next(int node, int column) {
    return nodes[column].nextSetBit(node);
  }

  /** Records a change of one node and notifies the observers. */
  void change(int node, int column, boolean borrows) {
    nodes[column].set(node, borrows);
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).borrowingChanged(node, column);
    }
  }

  boolean isUsageObserved() {
    return !usageObservers.isEmpty();
  }

  void usageChanged(int node) {
    for (int i = 0; i < usageObservers.size(); i++) {
      usageObservers.get(i).usageChanged(node);
    }
  }

  void queueChanged(int node) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).queueChanged(node);
    }
  }

  void holderAdded(int node, QuotaHolder candidate) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).candidateAdded(node, candidate);
    }
  }

  void holderRemoved(int node, QuotaHolder candidate) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).candidateRemoved(node, candidate);
    }
  }

  /** Drops all observers; they are created again when needed. */
  public void forgetObservers() {
    observers.clear();
    usageObservers.clear();
  }

  /** {@return the observers; must not be changed} */
  public List<TreeObserver> observers() {
    return observers;
  }

  /** Adds an observer, and drops the oldest one if there are too many. */
  public void observe(TreeObserver observer) {
    if (observers.size() == GREATEST_OBSERVERS) {
      usageObservers.remove(observers.remove(0));
    }
    observers.add(observer);
  }

  /** Also notifies {@code observer}, which must have been added, of changes of usage. */
  public void observeUsage(TreeObserver observer) {
    if (observers.contains(observer)) {
      usageObservers.add(observer);
    }
  }
}
