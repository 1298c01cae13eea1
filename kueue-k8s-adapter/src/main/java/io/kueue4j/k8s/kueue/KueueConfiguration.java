package io.kueue4j.k8s.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Streams;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.dra.DeviceClassMappings;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Kueue's Configuration, as far as it changes decisions: the settings of the engine, and how
 * requests are counted. Immutable.
 *
 * <pre>{@code
 * KueueConfiguration configuration = KueueConfiguration.read(manifest);
 * AdmissionEngine engine =
 *     AdmissionEngine.builder().settings(configuration.settings()).build();
 * }</pre>
 *
 * <p>Defaults depend on the version of the object: {@code v1beta2} always waits for pods to become
 * ready, {@code v1beta1} only if that is enabled. Fields that change no decision, such as the
 * fields of the manager's servers, are not read.
 *
 * <p>Kueue: {@code Configuration} of {@code config.kueue.x-k8s.io}, the file of the ConfigMap
 * {@code kueue-manager-config}. Rules: H-24, L-14, R-4, W-0.
 *
 * @since 0.1.0
 */
public final class KueueConfiguration {
  /** The API group of the Configuration. */
  public static final String GROUP = DeviceClassMappings.GROUP;

  /** The kind of the Configuration. */
  public static final String KIND = DeviceClassMappings.KIND;

  private static final Duration V1BETA1_PODS_READY_TIMEOUT = Duration.ofMinutes(5);
  private static final ImmutableMap<String, QuotaCheckStrategy> QUOTA_CHECKS = ImmutableMap.of(
      "BlockUndeclared", QuotaCheckStrategy.BLOCK_UNDECLARED,
      "IgnoreUndeclared", QuotaCheckStrategy.IGNORE_UNDECLARED);
  private static final ImmutableMap<String, PodTemplates.Transformation.Strategy> STRATEGIES =
      ImmutableMap.of(
          "Retain", PodTemplates.Transformation.Strategy.RETAIN,
          "Replace", PodTemplates.Transformation.Strategy.REPLACE);

  private final Settings settings;
  private final boolean managesJobsWithoutQueueName;
  private final List<String> excludedResourcePrefixes;
  private final ImmutableList<PodTemplates.Transformation> transformations;
  private final List<ManifestIssue> notes;

  private KueueConfiguration(Manifest manifest, KueueVersion version) {
    Issues issues = Issues.of(manifest);
    Fields object = Fields.of(manifest, issues);
    boolean isFirst = manifest.version().equals("v1beta1");
    managesJobsWithoutQueueName = object.flag("manageJobsWithoutQueueName").orElse(false);
    object.passOver("managedJobsNamespaceSelector");
    Settings.Builder read = Settings.builder().kueueVersion(version);
    Fields fairSharing = object.object("fairSharing");
    readFairSharing(fairSharing, isFirst, read);
    Fields admissionFairSharing = object.object("admissionFairSharing");
    readAdmissionFairSharing(admissionFairSharing, read);
    Fields podsReady = object.object("waitForPodsReady");
    readPodsReady(podsReady, isFirst, read);
    readFeatureGates(object.object("featureGates"), read);
    Fields resources = object.object("resources");
    resources.choice("quotaCheckStrategy", QUOTA_CHECKS).ifPresent(read::quotaCheckStrategy);
    excludedResourcePrefixes = resources.texts("excludeResourcePrefixes");
    transformations = transformations(resources);
    // Only jobs need them; a Configuration with wrong ones is refused.
    var unused = DeviceClassMappings.read(manifest);
    resources.ignore("deviceClassMappings");
    if (read.build().isEnabled(FeatureGate.RESERVED_RESOURCE_NAME_VALIDATION)) {
      refuseReservedNames(resources);
    }
    // Other parts of a Configuration decide nothing here.
    ImmutableList.of(fairSharing, admissionFairSharing, podsReady, resources)
        .forEach(Fields::noteUnknown);
    issues.throwProblems();
    settings = read.build();
    notes = ImmutableList.copyOf(issues.notes());
  }

  /**
   * Reads a Configuration as the latest Kueue does.
   *
   * @throws ManifestException with every problem found, if there is any
   */
  public static KueueConfiguration read(Manifest configuration) {
    return read(configuration, KueueVersion.defaultVersion());
  }

  /**
   * Reads a Configuration of {@code v1beta1} or {@code v1beta2}; other versions are read as the
   * latter.
   *
   * @param version the version of Kueue that has the Configuration
   * @throws ManifestException with every problem found, if there is any
   */
  public static KueueConfiguration read(Manifest configuration, KueueVersion version) {
    return new KueueConfiguration(configuration, version);
  }

  /**
   * {@return the Configuration among {@code manifests}, the last one if there are several; absent
   * if there is none}
   *
   * @param version the version of Kueue that has the Configuration
   * @throws ManifestException with every problem of it, if there is any
   */
  public static Optional<KueueConfiguration> find(
      Iterable<Manifest> manifests, KueueVersion version) {
    return Streams.stream(manifests)
        .filter(KueueConfiguration::isOne)
        .reduce((first, second) -> second)
        .map(manifest -> read(manifest, version));
  }

  /**
   * {@return the version of Kueue that runs where {@code manifests} come from: the version of the
   * image of the Deployment {@code kueue-controller-manager}, the last one if there are several;
   * absent if no image has the tag of a release}
   */
  public static Optional<KueueVersion> installedVersion(Iterable<Manifest> manifests) {
    return Streams.stream(manifests)
        .flatMap(manifest -> ManagerDeployment.version(manifest).stream())
        .reduce((first, second) -> second);
  }

  /** {@return whether {@code manifest} is a Configuration} */
  public static boolean isOne(Manifest manifest) {
    return manifest.is(GROUP, KIND);
  }

  /** {@return the settings of an engine that decides as this Kueue does} */
  public Settings settings() {
    return settings;
  }

  /** {@return whether jobs without the name of a queue are managed, too} */
  public boolean managesJobsWithoutQueueName() {
    return managesJobsWithoutQueueName;
  }

  /** {@return the prefixes of resources that are not counted} */
  public List<String> excludedResourcePrefixes() {
    return excludedResourcePrefixes;
  }

  /** {@return the transformations of requests, at most one per input} */
  public List<PodTemplates.Transformation> transformations() {
    return transformations;
  }

  /** {@return what is not taken into account, such as feature gates that are unknown} */
  public List<ManifestIssue> notes() {
    return notes;
  }

  private static void readFairSharing(
      Fields fairSharing, boolean isFirst, Settings.Builder settings) {
    List<FairSharingStrategy> all = Arrays.asList(FairSharingStrategy.values());
    ImmutableList.Builder<FairSharingStrategy> strategies = ImmutableList.builder();
    for (String name : fairSharing.texts("preemptionStrategies")) {
      FairSharingStrategy.named(name)
          .ifPresentOrElse(
              strategies::add,
              () -> fairSharing.problem(
                  "preemptionStrategies", YamlScalar.quote(name) + "; expected one of " + all));
    }
    boolean isEnabled =
        isFirst ? fairSharing.flag("enable").orElse(false) : fairSharing.isPresent();
    ImmutableList<FairSharingStrategy> given = strategies.build();
    if (!isEnabled) {
      return;
    }
    try {
      Settings unused = Settings.builder().fairSharing(given).build();
      settings.fairSharing(given);
    } catch (IllegalArgumentException e) {
      fairSharing.problem("preemptionStrategies", String.valueOf(e.getMessage()));
    }
  }

  private static void readAdmissionFairSharing(Fields fields, Settings.Builder settings) {
    if (!fields.isPresent()) {
      return;
    }
    ImmutableSortedMap.Builder<String, Double> weights = ImmutableSortedMap.naturalOrder();
    fields
        .quantities("resourceWeights")
        .forEach((resource, text) -> weights.put(resource, Quantity.parse(text).doubleValue()));
    Duration interval = duration(fields, "usageSamplingInterval")
        .filter(given -> !given.isZero())
        .orElse(AdmissionFairSharing.DEFAULT_SAMPLING_INTERVAL);
    Duration halfLife = duration(fields, "usageHalfLifeTime").orElse(Duration.ZERO);
    try {
      settings.admissionFairSharing(
          new AdmissionFairSharing(halfLife, interval, weights.buildOrThrow()));
    } catch (IllegalArgumentException e) {
      fields.problem("resourceWeights", String.valueOf(e.getMessage()));
    }
  }

  private static void readPodsReady(Fields fields, boolean isFirst, Settings.Builder settings) {
    boolean isEnabled = fields.flag("enable").orElse(false);
    if (isFirst && !isEnabled) {
      fields.ignoreAll();
      return;
    }
    PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder();
    Optional<Duration> timeout =
        duration(fields, "timeout").filter(given -> isFirst || !given.isZero());
    timeout
        .or(() -> isFirst ? Optional.of(V1BETA1_PODS_READY_TIMEOUT) : Optional.empty())
        .ifPresent(policy::timeout);
    duration(fields, "recoveryTimeout").ifPresent(policy::recoveryTimeout);
    policy.blockAdmission(fields.flag("blockAdmission").orElse(isFirst));
    Fields requeuing = fields.object("requeuingStrategy");
    requeuing
        .choice("timestamp", Arrays.asList(RequeuingTimestamp.values()))
        .ifPresent(policy::requeuingTimestamp);
    count(requeuing, "backoffLimitCount").ifPresent(policy::backoffLimitCount);
    count(requeuing, "backoffBaseSeconds")
        .ifPresent(seconds -> policy.backoffBase(Duration.ofSeconds(seconds)));
    count(requeuing, "backoffMaxSeconds")
        .ifPresent(seconds -> policy.backoffMax(Duration.ofSeconds(seconds)));
    settings.podsReady(policy.build());
  }

  private static void readFeatureGates(Fields gates, Settings.Builder settings) {
    gates
        .mapping()
        .ifPresent(mapping -> mapping
            .fields()
            .keySet()
            .forEach(name -> gates
                .flag(name)
                .ifPresent(on -> FeatureGate.named(name)
                    .ifPresentOrElse(
                        gate -> settings.putFeatureGates(gate, on),
                        () -> FixedGates.objection(name, on)
                            .ifPresent(message -> gates.note(name, message))))));
  }

  private static ImmutableList<PodTemplates.Transformation> transformations(Fields resources) {
    ImmutableList.Builder<PodTemplates.Transformation> rules = ImmutableList.builder();
    Set<String> inputs = new HashSet<>();
    for (Fields rule : resources.objects("transformations")) {
      String input = rule.requiredText("input");
      if (!inputs.add(input)) {
        rule.problem("input", YamlScalar.quote(input) + " is transformed twice; expected once");
      }
      Map<String, String> outputs = rule.quantities("outputs");
      boolean replaces = rule.choice("strategy", STRATEGIES)
          .filter(strategy -> strategy == PodTemplates.Transformation.Strategy.REPLACE)
          .isPresent();
      PodTemplates.Transformation read = replaces
          ? PodTemplates.Transformation.replace(input, outputs)
          : PodTemplates.Transformation.retain(input, outputs);
      rules.add(rule.text("multiplyBy")
          .filter(name -> !name.isEmpty())
          .map(read::multipliedBy)
          .orElse(read));
    }
    return rules.build();
  }

  /** Refuses resources called {@code pods}: the numbers of pods would be counted in their place. */
  private static void refuseReservedNames(Fields resources) {
    for (Fields rule : resources.objects("transformations")) {
      refuseReserved(rule, "input", rule.text("input").stream());
      refuseReserved(rule, "multiplyBy", rule.text("multiplyBy").stream());
      refuseReserved(rule, "outputs", rule.quantities("outputs").keySet().stream());
      rule.ignoreAll(); // The other fields are checked where they are read.
    }
    for (Fields mapping : resources.objects("deviceClassMappings")) {
      refuseReserved(mapping, "name", mapping.text("name").stream());
      mapping.ignoreAll();
    }
  }

  private static void refuseReserved(Fields rule, String field, Stream<String> names) {
    if (names.anyMatch(ResourceNames.PODS::equals)) {
      rule.problem(field, "\"pods\", the number of pods; expected the name of another resource");
    }
  }

  private static Optional<Duration> duration(Fields fields, String name) {
    Optional<String> text = fields.text(name);
    Optional<Duration> duration = text.flatMap(GoDuration::parse);
    if (text.isPresent() && duration.isEmpty()) {
      fields.problem(
          name, YamlScalar.quote(text.get()) + "; expected a duration such as 5m or 168h");
    }
    return duration;
  }

  private static OptionalInt count(Fields fields, String name) {
    OptionalInt count = fields.integer(name);
    if (count.orElse(0) < 0) {
      fields.problem(name, count.getAsInt() + "; expected 0 or more");
      return OptionalInt.empty();
    }
    return count;
  }
}
