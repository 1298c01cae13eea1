/**
 * Kubernetes objects for the admission engine: reads manifests and live objects, and starts and
 * stops jobs.
 *
 * <p>Start with {@link io.kueue4j.k8s.KubernetesAdmission}; with
 * {@link io.kueue4j.k8s.ManifestReader}, if objects are only to be read.
 *
 * <p>In this package and those below it, arguments must not be null unless they are marked
 * {@code @Nullable}: a null causes a {@link NullPointerException}, at the latest when it is used.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
