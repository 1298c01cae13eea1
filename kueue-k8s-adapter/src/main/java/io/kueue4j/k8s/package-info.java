/**
 * Kubernetes objects for the admission engine: reads manifests and live objects, and starts and
 * stops jobs.
 *
 * <p>Start with {@link io.kueue4j.k8s.KubernetesAdmission}; with
 * {@link io.kueue4j.k8s.ManifestReader}, if objects are only to be read.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
