package io.kueue4j.examples.tutorial;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlDocument;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** The manifests of one tutorial, which are included in the examples. */
record TutorialManifests(String folder) {
  /** {@return the content of the files, in this order} */
  Manifests read(String... files) {
    return ManifestFiles.readSources(Arrays.stream(files)
        .map(file -> ManifestSource.of(file, text(file)))
        .collect(toImmutableList()));
  }

  /** {@return the only document of a file without manifests} */
  Fields readFields(String file) {
    YamlMapping root = YamlReader.read(file, text(file)).stream()
        .map(YamlDocument::root)
        .filter(YamlMapping.class::isInstance)
        .map(YamlMapping.class::cast)
        .findFirst()
        .orElseThrow();
    return Fields.of(root, "", new Issues(file, 1));
  }

  private String text(String file) {
    try {
      return Resources.toString(Resources.getResource("manifests/" + folder + "/" + file), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " of " + folder, e);
    }
  }

  /** {@return the output of the tutorials} */
  static PrintWriter standardOutput() {
    return new PrintWriter(System.out, true, UTF_8);
  }
}
