/**
 * The state of an engine: workloads, queues, configuration, reservations, and data derived from
 * them. Each store depends only on stores created before it, and not on its users.
 *
 * <p>Stores change by elementary changes. Each change announces itself, so that snapshots can copy
 * the affected part, and records its inverse for calls that fail.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
