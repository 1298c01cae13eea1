/**
 * What was read, a {@link io.kueue4j.k8s.manifest.Manifest} for each Kubernetes object, and what
 * was wrong where: {@link io.kueue4j.k8s.manifest.ManifestIssue}.
 *
 * <p>{@link io.kueue4j.k8s.ManifestReader} reads manifests.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.manifest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
