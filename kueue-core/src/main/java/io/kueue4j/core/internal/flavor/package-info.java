/**
 * Flavor assignment: eligibility, the search over flavors, partial admission.
 *
 * <p>Start with {@link AssignmentWalk}, which visits the pod sets of a workload. A
 * {@link FlavorSearch} tries the flavors for each in the order of the ClusterQueue: a
 * {@link FlavorTable} decides which of them pods may use, the quota tree how much is available, and
 * a {@link PreemptionOracle} whether preemption would help. {@link PodSetReducer} searches for
 * smaller numbers of pods. A {@link ReasonLog} keeps why flavors did not fit.
 *
 * <p>Knows no order of workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
