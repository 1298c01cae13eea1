package io.kueue4j.k8s.metrics;

import com.google.common.base.Ascii;

/**
 * The role of one replica of a controller.
 *
 * @since 0.1.0
 */
public enum ReplicaRole {
  /** It is the only replica. */
  STANDALONE,
  /** It is the one that decides. */
  LEADER,
  /** It waits to become the leader. */
  FOLLOWER;

  /** {@return the role as a label of Kueue's metrics} */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
