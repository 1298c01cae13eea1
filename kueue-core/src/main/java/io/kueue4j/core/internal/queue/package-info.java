/**
 * Pending workloads: their order, the head, parked workloads and the events that reactivate them.
 *
 * <p>Knows no flavors and no quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
