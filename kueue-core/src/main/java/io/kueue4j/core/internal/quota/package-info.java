/**
 * Quota and usage of cohort trees: how much is available, and how much is borrowed from which
 * level.
 *
 * <p>Knows flavors, resources, queues, cohorts and the workloads that hold quota, but no order of
 * pending workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
