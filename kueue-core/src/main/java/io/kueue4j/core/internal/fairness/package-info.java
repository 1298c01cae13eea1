/**
 * Fair sharing: the shares of queues and cohorts and the order of heads by share; and the usage of
 * LocalQueues over time.
 */
@Internal
@NullMarked
@ValueStyle
package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.support.Internal;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
