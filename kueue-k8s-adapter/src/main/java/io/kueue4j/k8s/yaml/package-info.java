/**
 * Manifests: YAML and JSON to a tree in which every scalar keeps its exact text and every node its
 * line, live objects to the same tree without lines, and from there to Kubernetes objects.
 *
 * <p>API are {@link io.kueue4j.k8s.yaml.Manifest}, {@link io.kueue4j.k8s.yaml.ManifestIssue},
 * {@link io.kueue4j.k8s.yaml.ManifestException} and the {@link io.kueue4j.k8s.yaml.YamlNode nodes};
 * the other types serve the packages above this one and may change.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.yaml;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
