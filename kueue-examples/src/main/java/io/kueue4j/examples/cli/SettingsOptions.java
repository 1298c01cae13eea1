package io.kueue4j.examples.cli;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.examples.simulation.InputException;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that stand for Kueue's Configuration. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SettingsOptions {
  @Option(
      names = "--fair-sharing",
      description = "Share quota fairly among ClusterQueues of a cohort: fairSharing in Kueue's"
          + " Configuration, with both strategies of preemption.")
  private boolean fairSharing;

  @Option(
      names = "--usage-half-life",
      paramLabel = "DURATION",
      description = "The time after which the usage of a LocalQueue counts half, such as P7D or"
          + " PT1H, for ClusterQueues with UsageBasedAdmissionFairSharing: the usageHalfLifeTime of"
          + " admissionFairSharing in Kueue's Configuration.")
  private Optional<Duration> usageHalfLife = Optional.empty();

  SettingsOptions() {}

  /** {@return the settings} */
  Settings settings() {
    return settings(fairSharing);
  }

  /** {@return the settings, with or without fair sharing} */
  Settings settings(boolean fairSharing) {
    Settings.Builder settings = Settings.builder();
    if (fairSharing) {
      settings.fairSharing();
    }
    try {
      usageHalfLife.map(AdmissionFairSharing::of).ifPresent(settings::admissionFairSharing);
    } catch (IllegalArgumentException e) {
      throw new InputException("--usage-half-life: " + e.getMessage());
    }
    return settings.build();
  }
}
