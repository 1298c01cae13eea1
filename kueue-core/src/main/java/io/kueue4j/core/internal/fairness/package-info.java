/**
 * Fair sharing: the shares of queues and cohorts, and the order of heads by share.
 *
 * <p>Start with {@link Tournament}.
 */
@Internal
@NullMarked
@ValueStyle
package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.support.Internal;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
