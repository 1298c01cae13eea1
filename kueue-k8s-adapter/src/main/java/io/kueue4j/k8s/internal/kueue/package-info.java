/**
 * Reads the kinds of Kueue's API group {@code kueue.x-k8s.io}, in all its versions, to the engine's
 * model.
 *
 * <p>Start with {@link KueueReader} for configuration and {@link WorkloadReader} for Workloads.
 */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.kueue;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
