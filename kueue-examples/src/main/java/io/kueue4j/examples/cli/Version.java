package io.kueue4j.examples.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the program. */
public final class Version implements IVersionProvider {
  /** Creates the provider. */
  public Version() {}

  /** {@return only the number} */
  static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return Objects.requireNonNullElse(version, "(not packaged)");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"kueue4j " + number()};
  }
}
