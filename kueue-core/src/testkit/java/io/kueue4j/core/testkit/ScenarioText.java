package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Step.Event;
import io.kueue4j.core.testkit.Step.Kind;
import io.kueue4j.core.testkit.text.ConfigText;
import io.kueue4j.core.testkit.text.PodsReadyText;
import io.kueue4j.core.testkit.text.Term;
import io.kueue4j.core.testkit.text.WorkloadText;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The text of scenarios: the settings, then a term for each step. */
final class ScenarioText {
  private static final WorkloadText WORKLOADS = new WorkloadText(Scenario.START);

  private static final String READY = "ready";
  private static final String NOT_READY = "notReady";
  private static final String NODE_FAILED = "nodeFailed";
  private static final String NODE_RECOVERED = "nodeRecovered";

  private ScenarioText() {}

  static String print(Settings settings, List<Step> steps) {
    StringBuilder line = new StringBuilder(print(settings).toString());
    steps.forEach(step -> line.append(' ').append(print(step)));
    return line.toString();
  }

  static Scenario parse(String line) {
    List<Term> terms = Term.parseAll(line);
    if (terms.isEmpty() || !terms.get(0).word().equals("settings")) {
      throw new IllegalArgumentException(
          "cannot read the scenario \"" + line + "\"; expected it to start with settings");
    }
    try {
      return new Scenario(
          settings(terms.get(0)),
          terms.stream().skip(1).map(ScenarioText::step).collect(toImmutableList()));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "cannot read \"" + e.getParsedString() + "\" in a scenario; expected a duration such as"
              + " PT5S",
          e);
    }
  }

  // ----- settings

  private static Term print(Settings settings) {
    List<Term> terms = new ArrayList<>();
    if (settings.kueueVersion() != KueueVersion.defaultVersion()) {
      terms.add(Term.of("kueue", settings.kueueVersion()));
    }
    settings
        .featureGates()
        .forEach((gate, enabled) -> terms.add(Term.of(enabled ? "on" : "off", gate)));
    if (settings.quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED) {
      terms.add(Term.of("ignoreUndeclared"));
    }
    settings.admissionFairSharing().ifPresent(sharing -> {
      List<Term> parts = new ArrayList<>();
      parts.add(Term.of(sharing.usageHalfLifeTime().toString()));
      parts.add(Term.of(sharing.usageSamplingInterval().toString()));
      sharing
          .resourceWeights()
          .forEach((resource, weight) -> parts.add(Term.of("weight", resource, weight)));
      terms.add(Term.of("admissionFairSharing", parts));
    });
    if (settings.strictQuota()) {
      terms.add(Term.of("strictQuota"));
    }
    if (settings.holdsQuotaUntilStopped()) {
      terms.add(Term.of("holdsQuotaUntilStopped"));
    }
    if (settings.strictTopology()) {
      terms.add(Term.of("strictTopology"));
    }
    if (settings.strictFairSharing()) {
      terms.add(Term.of("strictFairSharing"));
    }
    if (settings.strictBorrowing()) {
      terms.add(Term.of("strictBorrowing"));
    }
    settings.podsReady().ifPresent(policy -> terms.add(PodsReadyText.print(policy)));
    settings
        .fairSharing()
        .ifPresent(strategies -> terms.add(Term.of("fairSharing", strategies.toArray())));
    return Term.of("settings", terms);
  }

  private static Settings settings(Term term) {
    Settings.Builder settings = Settings.builder();
    for (Term part : term.terms()) {
      switch (part.word()) {
        case "kueue" -> settings.kueueVersion(Term.named(part.word(0), KueueVersion.values()));
        case "on", "off" ->
          settings.putFeatureGates(
              Term.named(part.word(0), FeatureGate.values()), part.word().equals("on"));
        case "ignoreUndeclared" ->
          settings.quotaCheckStrategy(QuotaCheckStrategy.IGNORE_UNDECLARED);
        case "admissionFairSharing" -> settings.admissionFairSharing(admissionFairSharing(part));
        case PodsReadyText.WORD -> settings.podsReady(PodsReadyText.policy(part));
        case "strictQuota" -> settings.strictQuota(true);
        case "holdsQuotaUntilStopped" -> settings.holdsQuotaUntilStopped(true);
        case "strictTopology" -> settings.strictTopology(true);
        case "strictFairSharing" -> settings.strictFairSharing(true);
        case "strictBorrowing" -> settings.strictBorrowing(true);
        case "fairSharing" ->
          settings.fairSharing(part.words(0).stream()
              .map(word -> Term.named(word, FairSharingStrategy.values()))
              .collect(toImmutableList()));
        default -> throw part.unknown("a setting");
      }
    }
    return settings.build();
  }

  private static AdmissionFairSharing admissionFairSharing(Term term) {
    AdmissionFairSharing sharing = AdmissionFairSharing.of(Duration.parse(term.word(0)))
        .withUsageSamplingInterval(Duration.parse(term.word(1)));
    for (Term weight : term.termsFrom(2)) {
      sharing = sharing.withResourceWeight(weight.word(0), Double.parseDouble(weight.word(1)));
    }
    return sharing;
  }

  // ----- steps

  private static Term print(Step step) {
    if (step instanceof Step.Apply apply) {
      return Term.of("apply", apply.objects().stream().map(ConfigText::print).toList());
    }
    if (step instanceof Step.Remove remove) {
      return remove.kind() == Kind.LOCAL_QUEUE
          ? Term.of("remove", word(remove.kind()), remove.namespace(), remove.name())
          : Term.of("remove", word(remove.kind()), remove.name());
    }
    if (step instanceof Step.Submit submit) {
      return WORKLOADS.print("submit", submit.workload());
    }
    if (step instanceof Step.Update update) {
      return WORKLOADS.print("update", update.workload());
    }
    if (step instanceof Step.TryAdmit tryAdmit) {
      return WORKLOADS.print(tryAdmit.evictVictims() ? "preempt" : "try", tryAdmit.workload());
    }
    if (step instanceof Step.Tell tell) {
      return Term.of(
          "tell",
          word(tell.event()),
          tell.workload().namespace(),
          tell.workload().name());
    }
    if (step instanceof Step.TellOfNode tell) {
      return Term.of(
          tell.failed() ? NODE_FAILED : NODE_RECOVERED,
          tell.workload().namespace(),
          tell.workload().name(),
          tell.host());
    }
    if (step instanceof Step.Restore restore) {
      List<Term> terms = new ArrayList<>();
      terms.add(WORKLOADS.print("workload", restore.workload()));
      terms.add(WORKLOADS.print(restore.admission()));
      restore.preempted().ifPresent(preempted -> terms.add(WORKLOADS.print(preempted)));
      return Term.of("restore", terms);
    }
    if (step instanceof Step.RestoreWaiting restore) {
      return Term.of(
          "waiting",
          List.of(
              WORKLOADS.print("workload", restore.workload()),
              WORKLOADS.print("until", restore.requeueAt())));
    }
    if (step instanceof Step.SetGate gate) {
      return Term.of(
          gate.open() ? "open" : "close",
          gate.workload().namespace(),
          gate.workload().name(),
          gate.gate());
    }
    if (step instanceof Step.SetCheck set) {
      return print(set);
    }
    if (step instanceof Step.SetPodsReady set) {
      return Term.of(
          set.ready() ? READY : NOT_READY,
          set.workload().namespace(),
          set.workload().name());
    }
    if (step instanceof Step.SetReclaimablePods set) {
      return print(set);
    }
    if (step instanceof Step.RestoreUsage restore) {
      return print(restore);
    }
    return step instanceof Step.PassTime passTime
        ? Term.of("wait", passTime.duration())
        : Term.of("cycle");
  }

  private static Step step(Term term) {
    return switch (term.word()) {
      case "apply" ->
        new Step.Apply(term.terms().stream().map(ConfigText::object).collect(toImmutableList()));
      case "remove" -> remove(term);
      case "submit" -> new Step.Submit(WORKLOADS.workload(term));
      case "update" -> new Step.Update(WORKLOADS.workload(term));
      case "try" -> new Step.TryAdmit(WORKLOADS.workload(term), false);
      case "preempt" -> new Step.TryAdmit(WORKLOADS.workload(term), true);
      case "tell" ->
        new Step.Tell(value(term, Event.values()), WorkloadId.of(term.word(1), term.word(2)));
      case "restore" -> {
        Workload workload = WORKLOADS.workload(term.term(0));
        yield new Step.Restore(
            workload,
            WORKLOADS.admission(workload.id(), term.term(1)),
            term.termsFrom(2).stream().map(WORKLOADS::preempted).findFirst());
      }
      case "waiting" ->
        new Step.RestoreWaiting(WORKLOADS.workload(term.term(0)), WORKLOADS.time(term.term(1)));
      case "open", "close" ->
        new Step.SetGate(
            WorkloadId.of(term.word(0), term.word(1)), term.word(2), term.word().equals("open"));
      case NODE_FAILED, NODE_RECOVERED ->
        new Step.TellOfNode(
            WorkloadId.of(term.word(0), term.word(1)),
            term.word(2),
            term.word().equals(NODE_FAILED));
      case "check" -> setCheck(term);
      case READY, NOT_READY ->
        new Step.SetPodsReady(
            WorkloadId.of(term.word(0), term.word(1)), term.word().equals(READY));
      case "reclaim" -> setReclaimablePods(term);
      case "used" -> restoreUsage(term);
      case "wait" -> new Step.PassTime(Duration.parse(term.word(0)));
      case "cycle" -> new Step.Cycle();
      default -> throw term.unknown("a step");
    };
  }

  private static Term print(Step.SetCheck set) {
    List<Object> words = new ArrayList<>();
    words.add(set.workload().namespace());
    words.add(set.workload().name());
    words.add(set.check().name());
    words.add(set.check().state());
    set.check().requeueAfter().ifPresent(words::add);
    return Term.of("check", words.toArray());
  }

  private static Step setCheck(Term term) {
    AdmissionCheckState.Builder check = AdmissionCheckState.builder()
        .name(term.word(2))
        .state(Term.named(term.word(3), CheckState.values()));
    term.words(4).forEach(delay -> check.requeueAfter(Duration.parse(delay)));
    return new Step.SetCheck(WorkloadId.of(term.word(0), term.word(1)), check.build());
  }

  private static Term print(Step.SetReclaimablePods set) {
    List<Object> words = new ArrayList<>();
    words.add(set.workload().namespace());
    words.add(set.workload().name());
    set.pods().forEach((podSet, count) -> words.add(Term.of("of", podSet, count)));
    return Term.of("reclaim", words.toArray());
  }

  private static Step setReclaimablePods(Term term) {
    return new Step.SetReclaimablePods(
        WorkloadId.of(term.word(0), term.word(1)),
        term.termsFrom(2).stream()
            .collect(toImmutableSortedMap(
                Comparator.naturalOrder(), part -> part.word(0), part -> part.smallNumber(1))));
  }

  private static Term print(Step.RestoreUsage restore) {
    List<Object> words = new ArrayList<>();
    words.add(restore.namespace());
    words.add(restore.localQueue());
    words.add(Duration.between(Scenario.START, restore.usage().lastUpdate()));
    restore
        .usage()
        .resources()
        .forEach((resource, amount) -> words.add(Term.of("of", resource, amount.toPlainString())));
    return Term.of("used", words.toArray());
  }

  private static Step restoreUsage(Term term) {
    ImmutableSortedMap.Builder<String, BigDecimal> amounts = ImmutableSortedMap.naturalOrder();
    for (Term amount : term.termsFrom(3)) {
      amounts.put(amount.word(0), new BigDecimal(amount.word(1)));
    }
    Instant lastUpdate = Scenario.START.plus(Duration.parse(term.word(2)));
    return new Step.RestoreUsage(
        term.word(0), term.word(1), new ConsumedUsage(amounts.buildOrThrow(), lastUpdate));
  }

  private static Step remove(Term term) {
    Kind kind = value(term, Kind.values());
    return kind == Kind.LOCAL_QUEUE
        ? new Step.Remove(kind, term.word(1), term.word(2))
        : new Step.Remove(kind, "", term.word(1));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <T extends Enum<T>> T value(Term term, T[] values) {
    for (T value : values) {
      if (word(value).equals(term.word(0))) {
        return value;
      }
    }
    throw term.unknown("one of " + List.of(values) + " in lower case");
  }
}
