package io.kueue4j.core.internal.queue;

/** A change that can be taken back for a moment, as long as nothing else has changed since. */
public interface ReversibleChange {
  /** Runs {@code action} in the state before the change. The action must not change the state. */
  void runBefore(Runnable action);
}
