/**
 * Computes the effective requests of pods, exactly, and reads what else restricts where they may
 * run.
 *
 * <p>Start with {@link io.kueue4j.k8s.pod.PodTemplates}.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.pod;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
