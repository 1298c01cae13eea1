/**
 * Quota and usage over trees of cohorts: what is available, what is borrowed, from how far up.
 *
 * <p>Knows resources in flavors, queues and cohorts, but no workloads and no order among them.
 */
@Internal
@NullMarked
package io.kueue4j.core.quota;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
