/**
 * Manifests: YAML and JSON to a tree in which every scalar keeps its exact text and every node its
 * line, live objects to the same tree without lines, and from there to Kubernetes objects.
 *
 * <p>Start with {@link ManifestParser}, which creates a {@link ParsedManifest} for each object;
 * {@link Fields} reads their content.
 */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.yaml;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
