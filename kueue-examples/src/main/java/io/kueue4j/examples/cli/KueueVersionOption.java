package io.kueue4j.examples.cli;

import io.kueue4j.core.decision.KueueVersion;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of the option that says as which release of Kueue to decide. */
final class KueueVersionOption implements ITypeConverter<KueueVersion> {
  static final String NAME = "--kueue-version";

  KueueVersionOption() {}

  @Override
  public KueueVersion convert(String release) {
    return KueueVersion.ofRelease(release)
        .orElseThrow(() -> new TypeConversionException(
            "'" + release + "' is not a release of Kueue; expected one such as 0.19.7 or 0.20"));
  }
}
