/**
 * The state of an engine: workloads, queues, configuration, reservations, and data derived from
 * them. Each store depends only on stores created before it, and not on its users. Decisions read
 * the state; it imports none of them.
 *
 * <p>Each elementary change records its inverse, for calls that fail. A fork shares what the stores
 * hold until one side changes it; see {@link EngineState#fork}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
