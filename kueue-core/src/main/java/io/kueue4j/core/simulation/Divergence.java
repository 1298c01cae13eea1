package io.kueue4j.core.simulation;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The first difference between two simulations: something that happened in one of them and not, at
 * that time, in the other. Immutable.
 *
 * @param time when it happened
 * @param job the job that it happened to; absent for a change of the cluster
 * @param event what happened, for example {@code admitted on a100}
 * @param inBase whether it happened in the simulation to compare with, otherwise in the other one
 * @param reasons if the job was admitted, why it waited in the simulation in which it was not; if
 *     it was stopped, why it waited afterwards. From
 *     {@link io.kueue4j.core.AdmissionEngine#explain}; empty if it did not wait
 * @since 0.1.0
 */
public record Divergence(
    Instant time, Optional<WorkloadId> job, String event, boolean inBase, List<Reason> reasons) {
  /** Copies what it is given. */
  public Divergence {
    reasons = ImmutableList.copyOf(reasons);
  }

  /**
   * {@return for example {@code at 2026-01-01T00:00:10Z job ns/b was admitted on a100 only in the
   * other simulation; it waited in the base: …}}
   */
  @Override
  public String toString() {
    String where = inBase ? "the base" : "the other simulation";
    return "at " + time + " " + job.map(id -> "job " + id).orElse("the cluster") + " was " + event
        + " only in " + where
        + (reasons.isEmpty() ? "" : "; it waited: " + Joiner.on("; ").join(reasons));
  }
}
