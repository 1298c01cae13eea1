package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.examples.simulation.BackfillChoice;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.kueue.PreemptionLimitsText;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import io.kueue4j.k8s.manifest.Manifest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The settings of the engine: the settings of Kueue's Configuration, and options that override
 * them.
 */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SettingsOptions {
  private static final String MIN_RUN_TIMES = "--min-run-times";
  private static final String RATES = "--preemption-rates";
  private static final String RECLAIM_BACKOFF = "--reclaim-backoff";
  private static final String VICTIM_COST = "--victim-cost";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = KueueVersionOption.NAME,
      paramLabel = "VERSION",
      converter = KueueVersionOption.class,
      description =
          "Decide as this release of Kueue does, such as 0.19.7; unless set, as the Kueue of the"
              + " Deployment kueue-controller-manager, else as Kueue 0.20.")
  private Optional<KueueVersion> kueueVersion = Optional.empty();

  @Option(
      names = "--fair-sharing",
      negatable = true,
      description = "Share quota fairly, or not; as fairSharing of Kueue's Configuration says"
          + " unless set.")
  private Optional<Boolean> fairSharing = Optional.empty();

  @Option(
      names = "--usage-half-life",
      paramLabel = "DURATION",
      description = "The time after which the usage of a LocalQueue counts half, such as P7D or"
          + " PT1H, for ClusterQueues with UsageBasedAdmissionFairSharing; as admissionFairSharing"
          + " of Kueue's Configuration says unless set.")
  private Optional<Duration> usageHalfLife = Optional.empty();

  @Mixin
  private BackfillOptions backfill;

  @Option(
      names = MIN_RUN_TIMES,
      paramLabel = "REASON=DURATION,...",
      description = "How long a workload runs at least before it may be preempted for a reason,"
          + " such as InCohortFairSharing=PT1H.")
  private Optional<String> minRunTimes = Optional.empty();

  @Option(
      names = RATES,
      paramLabel = "SCOPE=LIMIT/WINDOW,...",
      description = "The most preemptions in a time, such as PreemptedWorkload=2/P1D; scopes are"
          + " Global, PreemptingClusterQueue, PreemptedClusterQueue and PreemptedWorkload.")
  private Optional<String> preemptionRates = Optional.empty();

  @Option(
      names = RECLAIM_BACKOFF,
      paramLabel = "base=DURATION,...",
      description = "How long a ClusterQueue waits before it reclaims again, such as"
          + " base=PT1M,max=PT1H,reset=PT10M.")
  private Optional<String> reclaimBackoff = Optional.empty();

  @Option(
      names = VICTIM_COST,
      paramLabel = "RESOURCE=WEIGHT,...",
      description = "Preempt the workloads that lose the least work times weights, such as"
          + " restart=PT5M,repeat=PT30M,nvidia.com/gpu=1.")
  private Optional<String> victimCost = Optional.empty();

  @Option(
      names = "--strict-fair-sharing",
      description = "With fair sharing, preempt only what is fair against all victims together.")
  private boolean strictFairSharing;

  @Option(
      names = "--strict-borrowing",
      description = "Never preempt in a ClusterQueue so that it borrows more.")
  private boolean strictBorrowing;

  @Option(
      names = "--feature-gate",
      paramLabel = "NAME=BOOLEAN",
      completionCandidates = GateValues.class,
      description = "Turn a feature gate of Kueue on or off, such as PartialAdmission=false; as"
          + " featureGates of Kueue's Configuration says unless set. May be repeated.")
  private Map<String, Boolean> featureGates = ImmutableMap.of();

  SettingsOptions() {}

  /** What a shell offers for a feature gate. */
  private static final class GateValues implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(FeatureGate.values())
          .flatMap(gate -> Stream.of(gate + "=true", gate + "=false"))
          .iterator();
    }
  }

  /**
   * {@return the settings for manifests}
   *
   * @throws InputException if an option has a wrong value
   */
  Settings of(Manifests manifests) {
    Optional<KueueVersion> installed = kueueVersion.isPresent()
        ? Optional.empty()
        : KueueConfiguration.installedVersion(manifests.items());
    installed.ifPresent(version -> spec.commandLine()
        .getErr()
        .println("note: decides as Kueue " + version
            + ", since the image of the Deployment kueue-controller-manager is of that version; "
            + KueueVersionOption.NAME + " sets another one"));
    return override(configured(manifests.items(), kueueVersion.or(() -> installed)));
  }

  /** {@return the settings that manifests say, in the version of Kueue that they run} */
  static Settings configured(Iterable<Manifest> manifests) {
    return configured(manifests, KueueConfiguration.installedVersion(manifests));
  }

  private static Settings configured(
      Iterable<Manifest> manifests, Optional<KueueVersion> givenVersion) {
    KueueVersion version = givenVersion.orElseGet(KueueVersion::defaultVersion);
    return KueueConfiguration.find(manifests, version)
        .map(KueueConfiguration::settings)
        .orElseGet(() -> Settings.builder().kueueVersion(version).build());
  }

  /**
   * {@return the settings without manifests}
   *
   * @throws InputException if an option has a wrong value
   */
  Settings alone() {
    return override(configured(ImmutableList.of(), kueueVersion));
  }

  private Settings override(Settings configured) {
    try {
      Settings strict = Settings.builder()
          .from(configured)
          .strictFairSharing(strictFairSharing)
          .strictBorrowing(strictBorrowing)
          .build();
      return override(strict, fairSharing, usageHalfLife, backfill.choice(), limits(), gates());
    } catch (IllegalArgumentException e) {
      throw new InputException("--usage-half-life: " + e.getMessage(), e);
    }
  }

  /**
   * {@return settings with others in place of some; what is absent stays as it is}
   *
   * @throws IllegalArgumentException if the half-life or the depth of backfilling is none
   */
  static Settings override(
      Settings configured,
      Optional<Boolean> fairSharing,
      Optional<Duration> usageHalfLife,
      BackfillChoice backfill,
      Optional<PreemptionLimits> preemptionLimits,
      Map<FeatureGate, Boolean> featureGates) {
    Settings.Builder settings = Settings.builder()
        .kueueVersion(configured.kueueVersion())
        .quotaCheckStrategy(configured.quotaCheckStrategy())
        .strictFairSharing(configured.strictFairSharing())
        .strictBorrowing(configured.strictBorrowing());
    Map<FeatureGate, Boolean> gates = new TreeMap<>(configured.featureGates());
    gates.putAll(featureGates);
    gates.forEach(settings::putFeatureGates);
    if (fairSharing.orElse(configured.fairSharing().isPresent())) {
      settings.fairSharing(configured.fairSharing().orElse(ImmutableList.of()));
    }
    configured.podsReady().ifPresent(settings::podsReady);
    backfill.apply(configured.backfill()).ifPresent(settings::backfill);
    preemptionLimits.or(configured::preemptionLimits).ifPresent(settings::preemptionLimits);
    usageHalfLife
        .map(halfLife -> configured
            .admissionFairSharing()
            .map(known -> new AdmissionFairSharing(
                halfLife, known.usageSamplingInterval(), known.resourceWeights()))
            .orElseGet(() -> AdmissionFairSharing.of(halfLife)))
        .or(configured::admissionFairSharing)
        .ifPresent(settings::admissionFairSharing);
    return settings.build();
  }

  private Optional<PreemptionLimits> limits() {
    Map<String, Optional<String>> texts = ImmutableMap.of(
        MIN_RUN_TIMES, minRunTimes,
        RATES, preemptionRates,
        RECLAIM_BACKOFF, reclaimBackoff,
        VICTIM_COST, victimCost);
    return PreemptionLimitsText.read(
        MIN_RUN_TIMES,
        RATES,
        RECLAIM_BACKOFF,
        VICTIM_COST,
        option -> texts.getOrDefault(option, Optional.empty()),
        (option, problem) -> {
          throw new InputException(option + ": " + problem);
        });
  }

  private Map<FeatureGate, Boolean> gates() {
    Map<FeatureGate, Boolean> gates = new TreeMap<>();
    featureGates.forEach((name, on) -> gates.put(
        FeatureGate.named(name)
            .orElseThrow(() -> new InputException("--feature-gate: there is no gate " + name
                + " that changes decisions; expected one of "
                + Joiner.on(", ").join(FeatureGate.values()))),
        on));
    return gates;
  }
}
