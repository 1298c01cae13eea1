package io.kueue4j.examples.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version that the program was built as. */
public final class Version implements IVersionProvider {
  /** Creates the provider. */
  public Version() {}

  /** {@return the version alone} */
  static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return Objects.requireNonNullElse(version, "(not packaged)");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"kueue-examples " + number()};
  }
}
