package io.kueue4j.core.internal.remedy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;

/** The calls of an engine that make the change of a remedy. */
public final class RemedyCalls {
  private RemedyCalls() {}

  /**
   * Applies the objects of a remedy, updates its workload, and finishes the workloads that have to
   * stop, each in a call of its own.
   *
   * @return the decisions of these calls
   */
  @CanIgnoreReturnValue
  public static Decisions apply(LockedEngine engine, Remedy remedy) {
    Decisions decisions = remedy.objects().isEmpty()
        ? Decisions.none()
        : engine.call(held -> held.configurationChange(held.now()).apply(remedy.objects()));
    if (remedy.workload().isPresent()) {
      Workload changed = remedy.workload().get();
      decisions = decisions.and(engine.call(held -> held.workloads().update(changed, held.now())));
    }
    if (remedy.kind() == Remedy.Kind.END_BACKOFF && remedy.workload().isPresent()) {
      decisions = decisions.and(engine.call(held -> held.workloads()
          .requeue(
              remedy.workload().get().id(),
              "BackoffFinished",
              "The backoff was ended",
              held.now())));
    }
    for (WorkloadId stop : remedy.stops()) {
      decisions = decisions.and(engine.call(
          held -> held.workloads().remove(stop, WorkloadRemoved.Reason.FINISHED, held.now())));
    }
    return decisions;
  }
}
