/**
 * Snapshots of a state, views of them, and the forks that what-if studies work on. A snapshot
 * copies a part of the state when the state is about to change it; a fork copies a part when it
 * needs it.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
