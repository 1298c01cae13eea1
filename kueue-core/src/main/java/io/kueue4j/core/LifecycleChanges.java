package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

/**
 * What an engine has decided about workloads that hold quota and has told nobody yet. Each decision
 * is told once: by the call of {@link WorkloadLifecycle} that it follows from, or else by the next
 * such call or the next cycle.
 *
 * @param admitted what may start now that held quota before
 * @param suspended what is not to start, or not to go on, before it is admitted again; there is
 *     nothing to report when it has stopped
 * @param evicted what is to stop, and to be reported when it has
 */
public record LifecycleChanges(
    ImmutableList<Admission> admitted,
    ImmutableList<WorkloadId> suspended,
    ImmutableList<Eviction> evicted) {
  /** Nothing to tell. */
  static final LifecycleChanges NONE =
      new LifecycleChanges(ImmutableList.of(), ImmutableList.of(), ImmutableList.of());

  /** {@return whether there is nothing to tell} */
  public boolean isEmpty() {
    return admitted.isEmpty() && suspended.isEmpty() && evicted.isEmpty();
  }
}
