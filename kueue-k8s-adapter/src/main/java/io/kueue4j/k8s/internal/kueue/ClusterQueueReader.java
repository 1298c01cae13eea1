package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Reads a ClusterQueue. Rules: M-7, M-8, M-11, M-33, W-0, CA-1. */
final class ClusterQueueReader {
  private static final ImmutableList<LabelRequirement.Operator> OPERATORS = ImmutableList.of(
      LabelRequirement.Operator.IN,
      LabelRequirement.Operator.NOT_IN,
      LabelRequirement.Operator.EXISTS,
      LabelRequirement.Operator.DOES_NOT_EXIST);

  private final Fields annotations;
  private final Fields spec;
  private final KueueApiVersion version;
  private final Map<String, String> origins;

  ClusterQueueReader(Fields object, KueueApiVersion version, Map<String, String> origins) {
    Fields metadata = object.object("metadata");
    metadata.ignoreAll(); // They are checked with all objects.
    annotations = metadata.object("annotations");
    spec = object.object("spec");
    this.version = version;
    this.origins = origins;
  }

  ClusterQueue read(String name) {
    String cohortField = version == KueueApiVersion.V1BETA2 ? "cohortName" : "cohort";
    origins.put("cohort", spec.path(cohortField));
    origins.put("preemptionLimits.rates", annotations.path(PreemptionLimitsText.RATES));
    Optional<String> cohort = spec.text(cohortField).filter(text -> !text.isEmpty());
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .addAllResourceGroups(resourceGroups(cohort.isPresent()))
        .namespaceSelector(selector(spec.object("namespaceSelector")))
        .flavorFungibility(fungibility(spec.object("flavorFungibility")))
        .preemption(preemption(spec.object("preemption")))
        .preemptionLimits(PreemptionLimitsText.read(annotations))
        .addAllAdmissionChecks(admissionChecks())
        .stopPolicy(KueueReader.stopPolicy(spec))
        .fairSharingWeight(KueueReader.fairSharingWeight(spec));
    backfillDepth(annotations).ifPresent(queue::backfillDepth);
    spec.choice("queueingStrategy", Arrays.asList(QueueingStrategy.values()))
        .ifPresent(queue::queueingStrategy);
    admissionMode(spec.object("admissionScope")).ifPresent(queue::admissionMode);
    if (version == KueueApiVersion.V1BETA2) {
      queue.concurrentAdmissionPolicy(
          concurrentAdmission(spec.object("concurrentAdmissionPolicy")));
    }
    return queue.build();
  }

  private Optional<Integer> backfillDepth(Fields annotations) {
    annotations.ignoreAll();
    String key = BackfillAnnotations.BACKFILL_DEPTH;
    origins.put("backfillDepth", annotations.path(key));
    Optional<String> text = annotations.text(key);
    Optional<Integer> depth = text.flatMap(BackfillAnnotations::depth);
    if (text.isPresent() && depth.isEmpty()) {
      annotations.problem(key, BackfillAnnotations.depthProblem(text.get()));
    }
    return depth;
  }

  private Optional<ConcurrentAdmissionPolicy> concurrentAdmission(Fields policy) {
    if (!policy.isPresent()) {
      return Optional.empty();
    }
    Fields migration = policy.object("migration");
    if (!migration.has("mode")) {
      migration.missing(
          "mode", "one of " + Arrays.toString(ConcurrentAdmissionPolicy.Mode.values()));
    }
    Fields constraints = migration.object("constraints");
    origins.put(
        "concurrentAdmissionPolicy.lastAcceptableFlavor",
        constraints.path("lastAcceptableFlavorName"));
    origins.put("concurrentAdmissionPolicy", policy.path("migration"));
    return Optional.of(new ConcurrentAdmissionPolicy(
        migration
            .choice("mode", Arrays.asList(ConcurrentAdmissionPolicy.Mode.values()))
            .orElse(ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS),
        constraints.text("lastAcceptableFlavorName").filter(name -> !name.isEmpty())));
  }

  private static Optional<AdmissionMode> admissionMode(Fields scope) {
    if (scope.isPresent() && !scope.has("admissionMode")) {
      scope.missing("admissionMode", "one of " + Arrays.toString(AdmissionMode.values()));
    }
    return scope.choice("admissionMode", Arrays.asList(AdmissionMode.values()));
  }

  private ImmutableList<ResourceGroup> resourceGroups(boolean inCohort) {
    return VersionDifferences.hasQuotasPerResource(version)
        ? new LegacyQuotaReader(inCohort, origins).groups(spec)
        : QuotaReader.groups(spec);
  }

  private static Optional<LabelSelector> selector(Fields selector) {
    if (!selector.isPresent()) {
      return Optional.empty();
    }
    ImmutableList.Builder<LabelRequirement> requirements = ImmutableList.builder();
    for (Fields expression : selector.objects("matchExpressions")) {
      String key = expression.requiredText("key");
      if (!expression.has("operator")) {
        expression.missing("operator", "one of " + OPERATORS);
      }
      requirements.add(new LabelRequirement(
          key,
          expression.choice("operator", OPERATORS).orElse(LabelRequirement.Operator.EXISTS),
          expression.texts("values")));
    }
    return Optional.of(new LabelSelector(
        ImmutableSortedMap.copyOf(selector.textMap("matchLabels")), requirements.build()));
  }

  private FlavorFungibility fungibility(Fields fields) {
    Policy whenCanBorrow = fields
        .choice("whenCanBorrow", policies("Borrow"))
        .orElse(FlavorFungibility.DEFAULT.whenCanBorrow());
    Policy whenCanPreempt = fields
        .choice("whenCanPreempt", policies("Preempt"))
        .orElse(FlavorFungibility.DEFAULT.whenCanPreempt());
    Optional<Preference> preference =
        fields.choice("preference", Arrays.asList(Preference.values()));
    if (preference.isPresent()
        && (whenCanBorrow != Policy.TRY_NEXT_FLAVOR || whenCanPreempt != Policy.TRY_NEXT_FLAVOR)) {
      fields.note(
          "preference",
          "the API server takes it only with whenCanBorrow and whenCanPreempt both TryNextFlavor");
    }
    return new FlavorFungibility(whenCanBorrow, whenCanPreempt, preference);
  }

  /** Maps values to policies; before v1beta2 each field had a value of its own, {@code former}. */
  private ImmutableMap<String, Policy> policies(String former) {
    ImmutableMap.Builder<String, Policy> policies = ImmutableMap.builder();
    for (Policy policy : Policy.values()) {
      policies.put(policy.toString(), policy);
    }
    if (version != KueueApiVersion.V1BETA2) {
      policies.put(former, Policy.MAY_STOP_SEARCH);
    }
    return policies.buildOrThrow();
  }

  private static Preemption preemption(Fields preemption) {
    Fields borrowing = preemption.object("borrowWithinCohort");
    return Preemption.builder()
        .withinClusterQueue(policy(
            preemption,
            "withinClusterQueue",
            Preemption.Policy.LOWER_PRIORITY,
            Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY))
        .reclaimWithinCohort(policy(
            preemption,
            "reclaimWithinCohort",
            Preemption.Policy.LOWER_PRIORITY,
            Preemption.Policy.ANY))
        .borrowWithinCohort(policy(borrowing, "policy", Preemption.Policy.LOWER_PRIORITY))
        .maxPriorityThreshold(borrowing.integer("maxPriorityThreshold"))
        .build();
  }

  private static Preemption.Policy policy(
      Fields holder, String name, Preemption.Policy... othersThanNever) {
    ImmutableList<Preemption.Policy> allowed = ImmutableList.<Preemption.Policy>builder()
        .add(Preemption.Policy.NEVER)
        .add(othersThanNever)
        .build();
    return holder.choice(name, allowed).orElse(Preemption.Policy.NEVER);
  }

  private ImmutableList<AdmissionCheckRule> admissionChecks() {
    ImmutableList.Builder<AdmissionCheckRule> rules = ImmutableList.builder();
    Fields strategy = spec.object("admissionChecksStrategy");
    origins.put("admissionChecks", strategy.path("admissionChecks"));
    for (Fields rule : strategy.objects("admissionChecks")) {
      rules.add(new AdmissionCheckRule(rule.requiredText("name"), rule.texts("onFlavors")));
    }
    if (version != KueueApiVersion.V1BETA2 && spec.has("admissionChecks")) {
      origins.put("admissionChecks", spec.path("admissionChecks"));
      if (strategy.isPresent()) {
        spec.problem("admissionChecks", "given beside admissionChecksStrategy; keep one of them");
      }
      spec.texts("admissionChecks")
          .forEach(check -> rules.add(new AdmissionCheckRule(check, ImmutableList.of())));
    }
    return rules.build();
  }
}
