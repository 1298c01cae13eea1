/**
 * All that an engine knows: workloads, queues, configuration, what is held of quotas, and what
 * follows from them. Each store depends on those created before it only, and none knows what uses
 * it.
 *
 * <p>Stores change by elementary changes. Each of them announces itself, so that snapshots keep
 * what is about to change, and records its inverse for calls that fail.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
