/**
 * Immutable descriptions of flavors, queues, cohorts and workloads, and of admissions and reasons.
 *
 * <p>The types mirror the objects of Kueue's API group {@code kueue.x-k8s.io}; a field means what
 * the Kubernetes field of the same name means. Amounts are 64-bit integers: milli-units of
 * {@code cpu}, whole units of everything else.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.core.model;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
