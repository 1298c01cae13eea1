package io.kueue4j.k8s.metrics;

import com.google.common.base.Ascii;

/** Which of several replicas of a controller this is. */
public enum ReplicaRole {
  /** There is no other. */
  STANDALONE,
  /** It decides. */
  LEADER,
  /** It waits to become the leader. */
  FOLLOWER;

  /** {@return the role as a label of Kueue's metrics} */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
