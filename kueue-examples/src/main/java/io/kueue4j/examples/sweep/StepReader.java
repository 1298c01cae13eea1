package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Ints;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlPosition;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Reads the amounts of a grid that take several values, from a list or a range. */
final class StepReader {
  private static final int MAX_VALUES = 10_000;

  private final String source;

  StepReader(String source) {
    this.source = source;
  }

  /** {@return the quotas that change} */
  ImmutableList<Step> quotas(Fields root) {
    return root.objects("quotas").stream().map(this::quota).collect(toImmutableList());
  }

  private Step quota(Fields step) {
    QuotaOwner owner = owner(step).orElseGet(() -> {
      step.problem("clusterQueue", "missing; expected clusterQueue or cohort");
      return new QuotaOwner(place(step, "clusterQueue"), false, "", "");
    });
    String resource = step.requiredText("resource");
    String name = step.text("name").orElse(owner.name() + "/" + owner.flavor() + "/" + resource);
    ImmutableLongArray amounts = values(
        step,
        "quantities such as 8, 500m or 10Gi",
        text -> amount(resource, text),
        amount -> Quantity.format(resource, amount));
    return new QuotaStep(name, owner, resource, amounts);
  }

  private static Optional<Long> amount(String resource, String text) {
    try {
      long amount = Quantity.quota(resource, text);
      return amount < 0 ? Optional.empty() : Optional.of(amount);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@return the numbers of nodes that change} */
  ImmutableList<Step> nodes(Fields root) {
    return root.objects("nodes").stream().map(this::nodeCount).collect(toImmutableList());
  }

  private Step nodeCount(Fields step) {
    Optional<QuotaOwner> owner = owner(step);
    Map<String, String> labels = step.textMap("labels");
    if (labels.isEmpty()) {
      step.problem("labels", "no labels; expected those that the nodes of this kind have");
    }
    ImmutableLongArray counts = values(
        step,
        "whole numbers of nodes, at most 1000000",
        text -> Optional.ofNullable(Ints.tryParse(text))
            .filter(count -> count >= 0 && count <= 1_000_000)
            .map(Integer::longValue),
        String::valueOf);
    return new NodeStep(
        step.text("name").orElse("nodes"),
        place(step, "labels"),
        labels,
        ImmutableIntArray.copyOf(counts.stream().mapToInt(Math::toIntExact)),
        owner);
  }

  private Optional<QuotaOwner> owner(Fields step) {
    Optional<String> clusterQueue = step.text("clusterQueue");
    Optional<String> cohort = step.text("cohort");
    if (clusterQueue.isEmpty() && cohort.isEmpty()) {
      return Optional.empty();
    }
    if (clusterQueue.isPresent() && cohort.isPresent()) {
      step.problem("cohort", "expected either clusterQueue or cohort");
    }
    return Optional.of(new QuotaOwner(
        place(step, cohort.isPresent() ? "cohort" : "clusterQueue"),
        cohort.isPresent(),
        cohort.or(() -> clusterQueue).orElse(""),
        step.requiredText("flavor")));
  }

  /**
   * {@return the values of a step: of {@code values}, or {@code from}, {@code to}, {@code step}}
   */
  private static ImmutableLongArray values(
      Fields step,
      String expected,
      Function<String, Optional<Long>> reading,
      Function<Long, String> text) {
    Scalars listed = Scalars.of(step, "values");
    Optional<Long> from = one(step, "from", expected, reading);
    Optional<Long> to = one(step, "to", expected, reading);
    Optional<Long> by = one(step, "step", expected, reading);
    boolean isRange = step.has("from") || step.has("to") || step.has("step");
    if (isRange == step.has("values")) {
      step.problem("values", "expected either values, or from, to and step");
      return ImmutableLongArray.of();
    }
    if (!isRange) {
      ImmutableList<Long> values = listed.all(expected, reading);
      if (listed.items().isEmpty()) {
        step.problem("values", "no values; expected at least one");
      }
      return ImmutableLongArray.copyOf(values);
    }
    for (String name : ImmutableList.of("from", "to", "step")) {
      if (!step.has(name)) {
        step.missing(name, expected);
      }
    }
    if (from.isEmpty() || to.isEmpty() || by.isEmpty()) {
      return ImmutableLongArray.of();
    }
    if (by.get() == 0 || to.get() < from.get()) {
      step.problem(
          by.get() == 0 ? "step" : "to",
          by.get() == 0
              ? "0; expected more"
              : text.apply(to.get()) + "; expected at least from, " + text.apply(from.get()));
      return ImmutableLongArray.of();
    }
    long count = (to.get() - from.get()) / by.get() + 1;
    if (count > MAX_VALUES) {
      step.problem("step", "the range has " + count + " values; expected at most " + MAX_VALUES);
      return ImmutableLongArray.of();
    }
    return ImmutableLongArray.copyOf(
        LongStream.range(0, count).map(i -> from.get() + i * by.get()));
  }

  private static Optional<Long> one(
      Fields step, String name, String expected, Function<String, Optional<Long>> reading) {
    Scalars value = Scalars.of(step, name);
    if (value.items().size() > 1) {
      step.problem(name, "a list; expected one number");
    }
    return value.all(expected, reading).stream().findFirst();
  }

  private GridPlace place(Fields step, String field) {
    YamlMapping mapping = step.mapping().orElseThrow();
    YamlField named = mapping.fields().get(field);
    YamlPosition at = mapping;
    if (named != null) {
      at = named.value() instanceof YamlScalar value ? value : named;
    }
    return new GridPlace(source, at.line(), at.column(), step.path(field));
  }
}
