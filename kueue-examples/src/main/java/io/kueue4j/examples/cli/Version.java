package io.kueue4j.examples.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version that the program was built as. */
public final class Version implements IVersionProvider {
  /** Creates the provider. */
  public Version() {}

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"kueue-examples " + Objects.requireNonNullElse(version, "(not packaged)")};
  }
}
