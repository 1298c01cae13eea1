package io.kueue4j.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KueueVersionTest {
  @ParameterizedTest
  @CsvSource({
    "0.17.3, 0.19",
    "0.19, 0.19",
    "v0.19.2, 0.19",
    "0.19.3, 0.19.7",
    "v0.19.7, 0.19.7",
    "0.19.12, 0.19.7",
    "0.20, 0.20",
    "v0.20.0-rc.1, 0.20",
    "0.21.0, 0.20",
    "1.0, 0.20",
  })
  void releasesAreReadAsTheNearestVersion(String release, String version) {
    assertThat(KueueVersion.ofRelease(release)).map(KueueVersion::toString).contains(version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "latest", "0", "v", "0.x", "0.19.", "99999999999.1", "0.20 "})
  void whatIsNoReleaseHasNoVersion(String text) {
    assertThat(KueueVersion.ofRelease(text)).isEmpty();
  }

  @Test
  void aGateThatIsNewIsOffBefore() {
    FeatureGate gate = FeatureGate.TAS_PARTIAL_SLICES;

    assertThat(Settings.defaults().isEnabled(gate)).isTrue();
    assertThat(settings(KueueVersion.V0_19_7).isEnabled(gate)).isFalse();
  }

  @Test
  void aGateThatIsSetIsSetInEveryVersion() {
    Settings settings = Settings.builder()
        .kueueVersion(KueueVersion.V0_19)
        .putFeatureGates(FeatureGate.TAS_PARTIAL_SLICES, true)
        .build();

    assertThat(settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES)).isTrue();
  }

  @Test
  void aBackportedFixHoldsFromThePatchOn() {
    KueueFix fix = KueueFix.FORGOTTEN_PREEMPTORS;

    assertThat(settings(KueueVersion.V0_19).includes(fix)).isFalse();
    assertThat(settings(KueueVersion.V0_19_7).includes(fix)).isTrue();
    assertThat(Settings.defaults().includes(fix)).isTrue();
  }

  private static Settings settings(KueueVersion version) {
    return Settings.builder().kueueVersion(version).build();
  }
}
