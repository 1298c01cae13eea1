/**
 * Placement of pods on the domains of a topology, such as blocks, racks and hosts: how many fit
 * each domain, and which domains are chosen.
 *
 * <p>Knows nodes, free amounts and pod requests, but no quota and no queues.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.topology;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
