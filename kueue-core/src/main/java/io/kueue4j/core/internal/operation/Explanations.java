package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.internal.explain.ExplainedQueues;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.fork.Snapshot;
import io.kueue4j.core.internal.remedy.RemedySearch;
import io.kueue4j.core.internal.remedy.Study;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.Locked;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Explains workloads in one call of an engine, all at the same time. */
public final class Explanations {
  private final EngineCore held;
  private final Locked<EngineCore> engine;
  private final ExplainedQueues queues;
  private final Instant now;

  private Explanations(EngineCore held, Locked<EngineCore> engine, ExplainedQueues queues) {
    this.held = held;
    this.engine = engine;
    this.queues = queues;
    this.now = held.now();
    held.state().deliverEvents(now);
  }

  /**
   * Brings the engine up to date to explain one workload.
   *
   * @param held the engine inside a call
   * @param engine the same engine behind its lock
   */
  public static Explanations ofOne(EngineCore held, Locked<EngineCore> engine) {
    return new Explanations(held, engine, ExplainedQueues.forOne());
  }

  /**
   * Brings the engine up to date to explain many workloads; computes the order of each queue once.
   *
   * @param held the engine inside a call
   * @param engine the same engine behind its lock
   */
  public static Explanations ofMany(EngineCore held, Locked<EngineCore> engine) {
    return new Explanations(held, engine, ExplainedQueues.forMany());
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
    Supplier<Supplier<? extends Study>> studies = () -> {
      Snapshot snapshot = held.snapshot(engine);
      return () -> new EngineStudy(snapshot, now);
    };
    WorkloadId submitted = VariantNames.submitted(workload);
    WorkloadRecord record = state.submitted(submitted);
    boolean runs = record != null && state.variants().admission(record).isPresent();
    return new Explainer(state, queues)
        .explain(submitted, now, RemedySearch.of(runs ? null : record, studies));
  }
}
