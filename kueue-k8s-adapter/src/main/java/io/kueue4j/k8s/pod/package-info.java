/**
 * What a pod asks for: its effective requests, exactly, and what else decides where it may run.
 *
 * <p>Start with {@link io.kueue4j.k8s.pod.PodTemplates}.
 */
@NullMarked
@ValueStyle
package io.kueue4j.k8s.pod;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
