/**
 * Flavor assignment: eligibility, the search over flavors, partial admission.
 *
 * <p>Uses a {@link io.kueue4j.core.internal.flavor.PreemptionOracle} to predict preemption. Knows
 * no order of workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
