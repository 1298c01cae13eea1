/**
 * Pending workloads: their order, who is next, who is parked, and what brings parked ones back.
 *
 * <p>Knows no flavors and no quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.queue;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
