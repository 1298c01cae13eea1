/**
 * What happens to a workload between its first admission and its last: admission checks, being told
 * to stop and coming back, deadlines.
 *
 * <p>Everything here is a function of what it is given; nothing is held, and no time is read. Knows
 * no queues and no quotas.
 */
@Internal
@NullMarked
package io.kueue4j.core.lifecycle;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
