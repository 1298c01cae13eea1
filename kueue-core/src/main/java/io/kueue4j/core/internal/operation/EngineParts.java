package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.elastic.ElasticSlices;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.transition.StopPolicies;
import io.kueue4j.core.internal.transition.WorkloadTransitions;
import io.kueue4j.core.internal.variant.VariantSettlement;

/**
 * The parts of an engine that calls of several kinds use.
 *
 * @param state the state of the engine
 * @param lifecycles makes the state transitions of workloads
 * @param settlement keeps the variants of a workload consistent
 * @param stopPolicies applies the stop policies of queues to workloads
 * @param slices the slices of elastic jobs
 * @param nodeFailures the workloads with a failed node
 */
record EngineParts(
    EngineState state,
    WorkloadTransitions lifecycles,
    VariantSettlement settlement,
    StopPolicies stopPolicies,
    ElasticSlices slices,
    NodeFailures nodeFailures) {
  /** {@return the parts of an engine with that state} */
  static EngineParts of(EngineState state) {
    WorkloadTransitions lifecycles = new WorkloadTransitions(state);
    return new EngineParts(
        state,
        lifecycles,
        new VariantSettlement(state, lifecycles),
        new StopPolicies(state, lifecycles),
        new ElasticSlices(state),
        new NodeFailures(state, lifecycles));
  }
}
