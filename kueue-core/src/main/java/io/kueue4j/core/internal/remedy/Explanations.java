package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.internal.explain.ExplainedQueues;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Explains workloads in one call of an engine, all at the same time. */
public final class Explanations {
  private final EngineCore held;
  private final ExplainedQueues queues;
  private final Instant now;

  private Explanations(EngineCore held, ExplainedQueues queues) {
    this.held = held;
    this.queues = queues;
    this.now = held.now();
    held.state().deliverEvents(now);
  }

  /**
   * Brings the engine up to date to explain one workload.
   *
   * @param held the engine inside a call
   */
  public static Explanations ofOne(EngineCore held) {
    return new Explanations(held, new ExplainedQueues(false));
  }

  /**
   * Brings the engine up to date to explain many workloads; computes the order of each queue once.
   *
   * @param held the engine inside a call
   */
  public static Explanations ofMany(EngineCore held) {
    return new Explanations(held, new ExplainedQueues(true));
  }

  /**
   * {@return what {@code extract} returns for the explanation of each workload, in this order}
   *
   * @throws IllegalArgumentException if there is no workload of one of the ids
   */
  public <R> ImmutableList<R> explain(
      List<WorkloadId> workloads, Function<? super Explanation, ? extends R> extract) {
    ImmutableList.Builder<R> extracted = ImmutableList.builderWithExpectedSize(workloads.size());
    for (WorkloadId workload : workloads) {
      extracted.add(extract.apply(explain(workload)));
    }
    return extracted.build();
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
    RemedySearch remedies = new RemedySearch();
    Explanation explanation = new Explainer(state, queues).explain(submitted, now, remedies);
    if (record != null && !runs && record.reservation() == null) {
      // Last, since nothing before it can be taken back any more.
      StateView view = held.view();
      remedies.begin(() -> new Study(view, now), record.workload());
    }
    return explanation;
  }
}
