/**
 * The lifecycle transitions of workloads with their effects on quotas and queues: reserve, admit,
 * evict, stop, requeue, deactivate. The state of a single workload is in {@code lifecycle}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.transition;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
