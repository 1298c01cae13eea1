package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What a simulation does: its input, checked. Immutable.
 *
 * @param trace the jobs
 * @param configuration the objects that are applied at the start
 * @param settings the settings of the engine
 * @param base the state that the engine starts from, absent for an empty one
 * @param events what else happens, in the order of time
 * @param behavior how the cluster reacts
 * @param startMillis when it starts
 * @param endMillis when it ends at the latest
 * @param intervalMillis the time between two cycles, 0 if they run whenever something has changed
 */
@Value.Builder
record Plan(
    Trace trace,
    @Value.PlainAttribute ImmutableList<ConfigObject> configuration,
    Settings settings,
    Optional<EngineView> base,
    @Value.PlainAttribute ImmutableList<SimulationEvent> events,
    ClusterBehavior behavior,
    long startMillis,
    long endMillis,
    long intervalMillis) {}
