package io.kueue4j.examples.simulation;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.manifest.ManifestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads manifests out of files, folders and standard input. */
public final class ManifestFiles {
  /** How the names of scenarios end, which stand beside manifests. */
  public static final String SCENARIO_SUFFIX = ".scenario.yaml";

  private static final ManifestReader READER = reader(JobKinds.all());

  private ManifestFiles() {}

  private static ManifestReader reader(JobKinds kinds) {
    return ManifestReader.builder().jobKinds(kinds).noteUnusedKinds(true).build();
  }

  /**
   * What was read.
   *
   * @param manifests the manifests
   * @param passedOver the files of folders that hold no Kubernetes objects, and are no scenarios
   */
  public record Result(Manifests manifests, ImmutableList<Path> passedOver) {}

  /**
   * Reads files, and the files of folders, and of the folders in these, that end in {@code .yaml},
   * {@code .yml} or {@code .json} in the order of their names. A path that is given twice is read
   * twice. Files of folders that hold no Kubernetes objects are passed over.
   *
   * @throws InputException if something cannot be read or understood, or if there is no object at
   *     all; says every place
   */
  public static Result read(List<InputFile> files) {
    return read(ImmutableList.of(), files, READER);
  }

  /**
   * {@return the same, after live objects of a cluster}
   *
   * @throws InputException if something cannot be read or understood, or if there is no object at
   *     all; says every place
   */
  public static Result read(List<HasMetadata> live, List<InputFile> files) {
    return read(live, files, READER);
  }

  /** {@return the same; jobs may be of these kinds} */
  public static Result read(List<InputFile> files, JobKinds kinds) {
    return read(ImmutableList.of(), files, reader(kinds));
  }

  private static Result read(List<HasMetadata> live, List<InputFile> files, ManifestReader reader) {
    ImmutableList.Builder<ManifestSource> sources = ImmutableList.builder();
    sources.add(ManifestSource.of(live));
    ImmutableList.Builder<Path> passedOver = ImmutableList.builder();
    for (InputFile file : files) {
      if (file.path().filter(Files::isDirectory).isPresent()) {
        ManifestFolder folder = ManifestFolder.of(file.path().get());
        folder.files().forEach(found -> sources.add(source(InputFile.of(found))));
        passedOver.addAll(folder.passedOver());
      } else {
        sources.add(source(file));
      }
    }
    Manifests manifests = readSources(sources.build(), reader);
    if (manifests.items().isEmpty()) {
      throw new InputException(
          (files.isEmpty() ? "the cluster" : Joiner.on(", ").join(files))
              + ": no Kubernetes object; expected at least one");
    }
    return new Result(manifests, passedOver.build());
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

  private static ManifestSource source(InputFile file) {
    try (InputStream stream = file.open()) {
      return ManifestSource.of(file.toString(), stream);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }
}
