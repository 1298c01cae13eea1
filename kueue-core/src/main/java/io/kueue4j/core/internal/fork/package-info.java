/**
 * Snapshots of a state, their views, and the forks used by what-if studies. A snapshot copies a
 * part of the state when the state is about to change it; a fork copies a part when it needs it.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
