/**
 * What LocalQueues have used over time, which may order their workloads.
 *
 * <p>Start with {@link UsageLedger}, the part of the state; each {@link UsageAccount} is of one
 * LocalQueue.
 */
@Internal
@NullMarked
@ValueStyle
package io.kueue4j.core.internal.usage;

import io.kueue4j.core.internal.support.Internal;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
