/**
 * The mechanisms of simulations, which know neither jobs nor engines: the queue of events, the log
 * of what happened, amounts over time. All of them hold primitive values only.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.simulation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
