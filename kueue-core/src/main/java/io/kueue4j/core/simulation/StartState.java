package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import java.util.stream.IntStream;

/**
 * What an engine has at the start of a run: shared by the runs that start from one state.
 *
 * @param holders the workloads that hold quota
 * @param waiting the numbers of the jobs that are known to the engine and hold none
 */
record StartState(ImmutableList<HoldingWorkload> holders, ImmutableList<Integer> waiting) {
  /** {@return the state of an engine, and of a view of it, in which a trace is to continue} */
  static StartState of(EngineView view, AdmissionEngine engine, Trace trace) {
    ImmutableList<HoldingWorkload> holders = view.clusterQueues().stream()
        .flatMap(queue -> queue.holders().stream())
        .collect(toImmutableList());
    return new StartState(
        holders,
        IntStream.range(0, trace.size())
            .filter(job -> engine.workload(trace.job(job).id()).isPresent()
                && engine.admission(trace.job(job).id()).isEmpty())
            .boxed()
            .collect(toImmutableList()));
  }
}
