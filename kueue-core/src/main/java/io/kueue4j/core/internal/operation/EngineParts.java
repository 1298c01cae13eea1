package io.kueue4j.core.internal.operation;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.cycle.Nominator;
import io.kueue4j.core.internal.cycle.SchedulingCycle;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.life.ElasticSlices;
import io.kueue4j.core.internal.life.VariantGuard;
import io.kueue4j.core.internal.life.VariantSettlement;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.preemption.VictimFinder;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.state.EngineState;
import java.util.function.UnaryOperator;

/** The parts of an engine that its calls use. */
final class EngineParts {
  final EngineState state;

  /** Makes the state transitions of workloads. */
  final WorkloadTransitions lifecycles;

  /** Keeps the variants of a workload consistent. */
  final VariantSettlement settlement;

  final ElasticSlices slices;
  final SecondPasses secondPasses;
  final QueueingPreconditions obstacles;
  final Explainer explainer;

  /** Translates the decisions of a cycle. */
  final AdmissionFactory factory;

  final VariantGuard guard;
  final WindowPlans windows;
  final Promiser promiser;
  final SchedulingCycle schedulingCycle;

  /**
   * Creates the parts of an engine.
   *
   * @param wrapper wraps the source of victims
   */
  EngineParts(EngineState state, UnaryOperator<VictimSource> wrapper) {
    this.state = state;
    this.lifecycles = new WorkloadTransitions(state);
    this.settlement = new VariantSettlement(state, lifecycles);
    this.slices = new ElasticSlices(state);
    this.obstacles = new QueueingPreconditions(state);
    this.explainer = new Explainer(state);
    Settings settings = state.settings();
    WorkloadPlacer placer = new WorkloadPlacer(
        state.inventories(),
        state.fleets(),
        state.catalog(),
        settings.isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            && settings.isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS),
        state.configuration()::delaysPlacement);
    this.factory = new AdmissionFactory(state, placer);
    this.guard = new VariantGuard(state, lifecycles);
    Nominator nominator = new Nominator(
        state.configuration().flavors(),
        placer,
        (preemptor, bounds) ->
            wrapper.apply(new VictimFinder(settings, state.fairness().usage(), preemptor, bounds)),
        slices::replacedBy,
        settings);
    this.windows = new WindowPlans(state);
    this.promiser = new Promiser(state, nominator, factory, obstacles, windows);
    this.secondPasses = new SecondPasses(state, lifecycles, placer, factory, promiser);
    this.schedulingCycle =
        new SchedulingCycle(nominator, settings, obstacles::toNomination, guard, promiser);
  }
}
