package io.kueue4j.core;

import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload that the engine knows: waiting outside the queues, pending in one, or holding quota.
 */
final class WorkloadRecord {
  private Workload workload;
  private CompiledWorkload compiled;
  private final long createdMillis;

  @Nullable
  Candidate candidate;

  @Nullable
  Reservation reservation;

  WorkloadRecord(Workload workload, CompiledWorkload compiled, long createdMillis) {
    this.workload = workload;
    this.compiled = compiled;
    this.createdMillis = createdMillis;
  }

  Workload workload() {
    return workload;
  }

  CompiledWorkload compiled() {
    return compiled;
  }

  /** {@return the time of creation, cut to whole seconds; rule U-6} */
  long createdMillis() {
    return createdMillis;
  }

  Optional<Admission> admission() {
    return Optional.ofNullable(reservation).map(Reservation::admission);
  }

  String localQueueKey() {
    return Configuration.localQueueKey(workload.namespace(), workload.queueName());
  }

  void change(Workload newWorkload, CompiledWorkload newCompiled) {
    workload = newWorkload;
    compiled = newCompiled;
  }
}
