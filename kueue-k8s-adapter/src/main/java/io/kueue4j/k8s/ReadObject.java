package io.kueue4j.k8s;

import io.kueue4j.k8s.internal.kueue.ConfigManifest;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.Optional;

/**
 * What was read of one object, or of a place in a source where an object was expected.
 *
 * @param manifest the object, absent if there is none
 * @param configuration what it configures, absent if it is of another kind or has problems
 * @param problems what is wrong with it
 * @param notes what deserves attention
 */
record ReadObject(
    Optional<Manifest> manifest,
    Optional<ConfigManifest> configuration,
    List<ManifestIssue> problems,
    List<ManifestIssue> notes) {}
