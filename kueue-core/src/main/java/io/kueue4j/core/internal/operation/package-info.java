/**
 * The calls of an engine: submit, try, run a cycle, apply configuration, restore and so on. Each
 * checks its arguments, decides, and changes the state.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
