/**
 * Which flavor each pod set gets of each resource: the walk over flavors, their eligibility,
 * partial admission.
 *
 * <p>Asks a {@link io.kueue4j.core.flavor.PreemptionOracle} whether preemption would help. Knows no
 * order of workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.flavor;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
