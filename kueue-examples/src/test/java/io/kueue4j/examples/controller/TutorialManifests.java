package io.kueue4j.examples.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.configuration.ManifestObjects;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The unmodified manifests of the tutorials. */
public final class TutorialManifests {
  private TutorialManifests() {}

  /** {@return manifests of a tutorial} */
  public static Manifests read(String folder, String... files) throws IOException {
    List<ManifestSource> sources = new ArrayList<>();
    for (String file : files) {
      sources.add(ManifestSource.of(
          file,
          Resources.toString(Resources.getResource("manifests/" + folder + "/" + file), UTF_8)));
    }
    return ManifestFiles.readSources(sources);
  }

  /** {@return the objects of manifests of a tutorial} */
  public static ImmutableList<HasMetadata> objects(String folder, String... files)
      throws IOException {
    return ManifestObjects.of(read(folder, files), JobKinds.all());
  }
}
