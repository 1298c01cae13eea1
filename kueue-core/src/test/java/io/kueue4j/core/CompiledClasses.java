package io.kueue4j.core;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Finds the origin of a class on the class path. */
final class CompiledClasses {
  private CompiledClasses() {}

  /** The directory or jar with the class. */
  static Path of(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
