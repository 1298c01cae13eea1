package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.MoreFiles;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.yaml.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads manifests out of files and folders. */
public final class ManifestFiles {
  private static final ImmutableSet<String> EXTENSIONS = ImmutableSet.of("yaml", "yml", "json");
  private static final ManifestReader READER = reader(JobKinds.all());

  private ManifestFiles() {}

  private static ManifestReader reader(JobKinds kinds) {
    return ManifestReader.builder().jobKinds(kinds).noteUnusedKinds(true).build();
  }

  /**
   * Reads files, and the files of folders that end in {@code .yaml}, {@code .yml} or {@code .json}
   * in the order of their names. A path that is given twice is read twice.
   *
   * @throws InputException if something cannot be read or understood, or if there is no object at
   *     all; says every place
   */
  public static Manifests read(List<Path> paths) {
    return read(paths, READER);
  }

  /** {@return the same; jobs may be of these kinds} */
  public static Manifests read(List<Path> paths, JobKinds kinds) {
    return read(paths, reader(kinds));
  }

  private static Manifests read(List<Path> paths, ManifestReader reader) {
    Manifests manifests = readSources(
        paths.stream()
            .flatMap(path -> files(path).stream())
            .map(ManifestFiles::source)
            .collect(toImmutableList()),
        reader);
    if (manifests.items().isEmpty()) {
      throw new InputException(
          Joiner.on(", ").join(paths) + ": no Kubernetes object; expected at least one");
    }
    return manifests;
  }

  /**
   * Reads sources, which may refer to each other.
   *
   * @throws InputException if something cannot be understood; says every place
   */
  public static Manifests readSources(List<ManifestSource> sources) {
    return readSources(sources, READER);
  }

  private static Manifests readSources(List<ManifestSource> sources, ManifestReader reader) {
    try {
      return reader.read(sources);
    } catch (ManifestException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static ImmutableList<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return ImmutableList.of(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      ImmutableList<Path> files = entries
          .filter(file -> EXTENSIONS.contains(MoreFiles.getFileExtension(file)))
          .filter(file -> !Files.isDirectory(file))
          .sorted()
          .collect(toImmutableList());
      if (files.isEmpty()) {
        throw new InputException(
            path + ": no manifests in this folder; expected files ending in .yaml, .yml or .json");
      }
      return files;
    } catch (IOException e) {
      throw UnreadableFiles.failure(path, e);
    }
  }

  private static ManifestSource source(Path file) {
    try {
      return ManifestSource.of(file);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }
}
