package io.kueue4j.examples.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.CharMatcher;
import com.google.common.collect.Streams;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files that a grid consists of: its own, and those that it names. */
public final class GridInputs {
  private final InputFile grid;
  private final String text;

  /** The files and folders by the names that the grid calls them. */
  private final Map<String, InputFile> named = new TreeMap<>();

  GridInputs(InputFile grid, String text) {
    this.grid = grid;
    this.text = text;
  }

  void add(String name, InputFile file) {
    named.put(name, file);
  }

  /** {@return the file of the grid} */
  InputFile grid() {
    return grid;
  }

  /** {@return the content of the file of the grid} */
  String text() {
    return text;
  }

  /**
   * {@return the files by their names relative to the file of the grid, the files of folders one by
   * one, in the order of the names}
   *
   * @throws InputException if one does not exist
   */
  Map<String, Path> files() {
    Map<String, Path> files = new TreeMap<>();
    named.forEach((name, file) -> {
      Path path = file.path().orElseThrow();
      // The files of a ConfigMap that is mounted are links.
      try (Stream<Path> found = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
        found.filter(Files::isRegularFile).filter(each -> !isHidden(path, each)).forEach(each -> {
          String below = path.relativize(each).toString();
          files.put(
              below.isEmpty() ? name : CharMatcher.is('/').trimTrailingFrom(name) + "/" + below,
              each);
        });
      } catch (IOException e) {
        throw UnreadableFiles.failure(file, e);
      } catch (UncheckedIOException e) {
        throw UnreadableFiles.failure(file, Objects.requireNonNull(e.getCause()));
      }
    });
    return files;
  }

  /** {@return whether a file of a folder is left out when manifests are read} */
  private static boolean isHidden(Path folder, Path file) {
    return Streams.stream(folder.relativize(file))
        .anyMatch(name -> name.toString().startsWith("."));
  }

  /**
   * {@return a hash of the version and of the names and contents of all files: results of equal
   * hashes are of the same grid}
   *
   * @param version the version of the program
   */
  public String digest(String version) {
    Hasher hasher = Hashing.sha256().newHasher();
    put(hasher, version.getBytes(UTF_8));
    put(hasher, text.getBytes(UTF_8));
    files().forEach((name, path) -> {
      put(hasher, name.getBytes(UTF_8));
      try {
        hasher.putBytes(MoreFiles.asByteSource(path).hash(Hashing.sha256()).asBytes());
      } catch (IOException e) {
        throw UnreadableFiles.failure(path, e);
      }
    });
    return hasher.hash().toString();
  }

  private static void put(Hasher hasher, byte[] bytes) {
    hasher.putInt(bytes.length).putBytes(bytes);
  }
}
