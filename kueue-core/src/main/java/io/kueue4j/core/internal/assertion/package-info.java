/**
 * Assertion mode: checks after each call that the state is consistent, that a call that failed
 * changed nothing, and that views and studies see no later change. Reads everything; only
 * {@link io.kueue4j.core.internal.operation.LockedEngine} uses it.
 *
 * <p>Start with {@link io.kueue4j.core.internal.assertion.StateAssertions}; what is compared is in
 * {@link io.kueue4j.core.internal.assertion.StateDump}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
