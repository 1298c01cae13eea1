package io.kueue4j.core;

/**
 * The parts of an engine that calls of several kinds use.
 *
 * @param state all that the engine knows
 * @param lifecycles takes the steps in the lives of workloads
 * @param settlement keeps the variants of a workload in line with each other
 * @param stopPolicies lets workloads follow stopped queues
 * @param slices the slices of elastic jobs
 * @param nodeFailures the workloads of which a node has failed
 */
record EngineParts(
    EngineState state,
    Lifecycles lifecycles,
    VariantSettlement settlement,
    StopPolicies stopPolicies,
    WorkloadSlices slices,
    NodeFailures nodeFailures) {
  /** {@return the parts of an engine with that state} */
  static EngineParts of(EngineState state) {
    Lifecycles lifecycles = new Lifecycles(state);
    return new EngineParts(
        state,
        lifecycles,
        new VariantSettlement(state, lifecycles),
        new StopPolicies(state, lifecycles),
        new WorkloadSlices(state),
        new NodeFailures(state, lifecycles));
  }
}
