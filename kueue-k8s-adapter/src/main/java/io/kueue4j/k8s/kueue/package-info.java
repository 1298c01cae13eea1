/**
 * Converts the kinds of Kueue's API group {@code kueue.x-k8s.io}, in all its versions, from and to
 * the engine's model.
 *
 * <p>The API consists of {@link io.kueue4j.k8s.kueue.ConfigManifest},
 * {@link io.kueue4j.k8s.kueue.WorkloadReader} with its result,
 * {@link io.kueue4j.k8s.kueue.PodTemplateConverter},
 * {@link io.kueue4j.k8s.kueue.ConsumedUsageReader}, {@link io.kueue4j.k8s.kueue.AdmissionWriter}
 * and {@link io.kueue4j.k8s.kueue.KueueApiVersion}.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.kueue;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
