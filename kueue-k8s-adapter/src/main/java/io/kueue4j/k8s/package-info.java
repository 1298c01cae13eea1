/**
 * Reading Kubernetes manifests for the admission engine.
 *
 * <p>Start with {@link io.kueue4j.k8s.ManifestReader}.
 */
@NullMarked
package io.kueue4j.k8s;

import org.jspecify.annotations.NullMarked;
