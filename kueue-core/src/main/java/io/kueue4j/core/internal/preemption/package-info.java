/**
 * Preemption: candidates, their order, and the search for victims whose preemption makes a workload
 * fit.
 *
 * <p>Start with {@link VictimFinder}. Without fair sharing, {@link ClassicalSearch} takes
 * candidates by {@link CandidateKind}, the candidates of the preemptor's own queue last; under fair
 * sharing, {@link FairSearch} takes them from the queue that {@link FairTargets} chooses. Which
 * candidate comes first within a kind or queue is decided by {@link CandidateOrder}.
 *
 * <p>{@link CheapestVictims} chooses victims by what they lose, if that counts.
 *
 * <p>{@link PreemptionBounds} says what the limits of preemption allow in a cycle; without limits
 * there is none. {@link PreemptionHistory} is the part of the state that they count by.
 *
 * <p>Searches change usage only in trials. Knows no pending workloads except the preemptor.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.state.PreemptionHistory;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
