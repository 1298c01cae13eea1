package io.kueue4j.examples.story;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/** Finds the files of scenarios. */
public final class StoryFiles {
  private StoryFiles() {}

  /**
   * {@return the scenarios in a folder and the folders in it, in the order of their paths; a file
   * that is named itself, whatever its name}
   *
   * <p>Symbolic links are followed. Names that begin with a dot are passed over.
   *
   * @throws InputException if there is none, or if a folder cannot be read
   */
  public static ImmutableList<Path> find(Path path) {
    if (!Files.isDirectory(path)) {
      return ImmutableList.of(path);
    }
    try (Stream<Path> files = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
      ImmutableList<Path> found = files
          .filter(file ->
              file.toString().endsWith(ManifestFiles.SCENARIO_SUFFIX) && Files.isRegularFile(file))
          .filter(file -> !isHidden(path.relativize(file)))
          .sorted(Comparator.comparing(Path::toString))
          .collect(toImmutableList());
      if (found.isEmpty()) {
        throw new InputException(path + ": no scenario in this folder; expected files ending in "
            + ManifestFiles.SCENARIO_SUFFIX);
      }
      return found;
    } catch (UncheckedIOException e) {
      throw UnreadableFiles.failure(path, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw UnreadableFiles.failure(path, e);
    }
  }

  private static boolean isHidden(Path file) {
    return Streams.stream(file).anyMatch(name -> name.toString().startsWith("."));
  }
}
