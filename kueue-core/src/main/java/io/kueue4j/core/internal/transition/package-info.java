/**
 * The steps in the life of a workload with what they mean for quotas and queues: reserve, admit,
 * evict, stop, requeue, deactivate. What happens to the workload alone is in {@code lifecycle}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.transition;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
