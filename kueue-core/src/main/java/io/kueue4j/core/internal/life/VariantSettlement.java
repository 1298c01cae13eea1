package io.kueue4j.core.internal.life;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Makes the variants of workloads consistent with each other, their workload and their queue after
 * one of them has changed. Every call of the engine settles before it returns.
 *
 * <p>Rules: CA-2, CA-4.
 *
 * @param state the state of the engine
 * @param lifecycles changes the states of workloads
 */
public record VariantSettlement(EngineState state, WorkloadTransitions lifecycles) {
  /** Settles only the workload of one variant. */
  public void settle(WorkloadId variant, Instant now) {
    WorkloadId id = VariantNames.submitted(variant);
    while (state.variants().takeChange(id)) {
      WorkloadRecord record = state.record(id);
      if (record != null) {
        new VariantReview(state, lifecycles, record, now).run();
      }
    }
  }

  /** Settles every workload that has changed. */
  public void settle(Instant now) {
    for (Optional<WorkloadId> next = state.variants().firstChanged();
        next.isPresent();
        next = state.variants().firstChanged()) {
      settle(next.get(), now);
    }
  }

  /**
   * {@return the variants of a workload that may be tried, created temporarily if it is not queued
   * yet}
   */
  public ImmutableList<WorkloadRecord> toTry(WorkloadRecord record, QueueState queue, Instant now) {
    if (record.hasVariants()) {
      return state.variants().of(record).stream()
          .filter(state.pending()::isQueueable)
          .collect(toImmutableList());
    }
    List<String> flavors = queue.spec().flavors();
    ImmutableList.Builder<WorkloadRecord> found = ImmutableList.builder();
    for (int i = 0; i < flavors.size(); i++) {
      Workload variant = VariantNames.variant(record, flavors.get(i), i, true);
      found.add(state.workloads().newRecord(variant, record.compiled().reclaimablePods(), now));
    }
    return found.build();
  }
}
