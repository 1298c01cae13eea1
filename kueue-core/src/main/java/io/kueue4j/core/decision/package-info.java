/**
 * The results of an engine and its settings: decisions, explanations with remedies, views of queues
 * and cohorts, and the listener that receives events.
 *
 * <p>Values and interfaces only.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.core.decision;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
