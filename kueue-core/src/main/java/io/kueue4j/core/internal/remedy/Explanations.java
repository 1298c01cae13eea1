package io.kueue4j.core.internal.remedy;

import com.google.common.base.Suppliers;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.internal.explain.ExplainedQueues;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.function.Supplier;

/** Explains workloads in one call of an engine, all at the same time. */
public final class Explanations {
  private final EngineCore held;
  private final ExplainedQueues queues;
  private final Instant now;

  /**
   * Brings the engine up to date to explain workloads.
   *
   * @param held the engine inside a call
   * @param forMany whether many are explained, so that the order of each queue is computed once
   */
  public Explanations(EngineCore held, boolean forMany) {
    this.held = held;
    this.queues = new ExplainedQueues(forMany);
    this.now = held.now();
    held.state().deliverEvents(now);
  }

  /**
   * {@return the explanation of a workload, which searches for remedies when it is asked for them}
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  public Explanation explain(WorkloadId workload) {
    EngineState state = held.state();
    WorkloadId submitted = VariantNames.submitted(workload);
    WorkloadRecord record = state.submitted(submitted);
    boolean runs = record != null && state.variants().admission(record).isPresent();
    Explanation.Builder explanation = new Explainer(state, queues).explain(submitted, now);
    if (record != null && !runs && record.reservation() == null) {
      // Last, since nothing before it can be taken back any more.
      StateView view = held.view();
      Workload waiting = record.workload();
      Supplier<RemedySearch> remedies =
          Suppliers.memoize(() -> new RemedySearch(new RemedyTrials(view, now, waiting)));
      explanation
          .remedySource(() -> remedies.get().first())
          .remediesSource(() -> remedies.get().all());
    }
    return explanation.build();
  }
}
