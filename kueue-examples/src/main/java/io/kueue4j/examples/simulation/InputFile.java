package io.kueue4j.examples.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file or folder that a user names, or standard input, which is named {@code -}. */
public final class InputFile {
  private final Optional<Path> path;
  private final StandardInput standardInput;

  private InputFile(Optional<Path> path, StandardInput standardInput) {
    this.path = path;
    this.standardInput = standardInput;
  }

  /** {@return the file or folder at {@code path}, whatever its name} */
  public static InputFile of(Path path) {
    return new InputFile(Optional.of(path), StandardInput.none());
  }

  /** {@return the file or folder of that name, or {@code standardInput} for {@code -}} */
  public static InputFile named(String name, StandardInput standardInput) {
    return name.equals("-") ? new InputFile(Optional.empty(), standardInput) : of(Path.of(name));
  }

  /** {@return the path, empty for standard input} */
  public Optional<Path> path() {
    return path;
  }

  /**
   * Opens the file; the caller closes it.
   *
   * @throws InputException if it is standard input, and that was opened before
   */
  public InputStream open() throws IOException {
    return path.isPresent() ? Files.newInputStream(path.get()) : standardInput.open();
  }

  /** {@return the last name of the path, or the whole path if it has none} */
  public String shortName() {
    return path.map(Path::getFileName).map(Path::toString).orElseGet(this::toString);
  }

  /** {@return the path as given, or {@code standard input}} */
  @Override
  public String toString() {
    return path.map(Path::toString).orElse("standard input");
  }
}
