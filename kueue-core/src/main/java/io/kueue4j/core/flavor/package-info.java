/**
 * Flavor assignment: eligibility, the search over flavors, partial admission.
 *
 * <p>Uses a {@link io.kueue4j.core.flavor.PreemptionOracle} to predict preemption. Knows no order
 * of workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.flavor;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
