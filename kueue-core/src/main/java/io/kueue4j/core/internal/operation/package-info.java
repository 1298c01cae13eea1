/**
 * The operations of an engine, such as submitting, trying, running a cycle, applying configuration
 * and restoring. Each checks its arguments, decides, and changes the state.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
