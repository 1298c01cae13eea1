package io.kueue4j.examples.story;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.TimeText;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Suggestion;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Reads what is expected after a step. Not thread-safe. */
final class ExpectationReader {
  /** What a job of manifests can be; a job that breaks rules is refused before it is one. */
  static final ImmutableList<JobStatus> STATUSES =
      ImmutableList.of(JobStatus.ADMITTED, JobStatus.PENDING, JobStatus.FINISHED);

  /** What only the code of a reason consists of. */
  private static final CharMatcher CODE = CharMatcher.inRange('A', 'Z').or(CharMatcher.is('_'));

  private static final ImmutableList<String> CODES =
      Arrays.stream(ReasonCode.values()).map(ReasonCode::name).collect(toImmutableList());

  private final Fields fields;
  private final ImmutableList.Builder<Expectation> expectations = ImmutableList.builder();

  private ExpectationReader(Fields fields) {
    this.fields = fields;
  }

  /** {@return the expectations; problems go to {@code fields}} */
  static ImmutableList<Expectation> read(Fields fields) {
    return new ExpectationReader(fields).readAll();
  }

  /** {@return the key of the jobs with a status} */
  static String key(JobStatus status) {
    return Ascii.toLowerCase(status.toString());
  }

  private ImmutableList<Expectation> readAll() {
    for (JobStatus status : STATUSES) {
      readJobs(status);
    }
    Fields preempts = fields.object("preempts");
    for (YamlField job : entries(preempts)) {
      expectations.add(
          new Expectation.Preempts(job.line(), job.name(), names(preempts, job.name())));
    }
    field("evicted")
        .ifPresent(evicted ->
            expectations.add(new Expectation.Evicted(evicted.line(), names(fields, "evicted"))));
    readAmounts("usage", Expectation.Uses::new);
    readAmounts("neverAbove", Expectation.NeverAbove::new);
    Fields starts = fields.object("startsWithin");
    for (YamlField job : entries(starts)) {
      expectations.add(
          new Expectation.StartsWithin(job.line(), job.name(), duration(starts, job.name())));
    }
    field("stableWithin")
        .ifPresent(stable -> expectations.add(new Expectation.StableWithin(
            stable.line(), fields.integer(stable.name()).orElse(0))));
    return expectations.build();
  }

  private Optional<YamlField> field(String name) {
    return fields.value(name).flatMap(value -> fields.mapping().orElseThrow().field(name));
  }

  /** {@return the entries of a mapping by names that users choose} */
  private static ImmutableList<YamlField> entries(Fields mapping) {
    return mapping
        .mapping()
        .map(content -> ImmutableList.copyOf(content.fields().values()))
        .orElse(ImmutableList.of());
  }

  /** Reads a list of jobs with a status, or a mapping of these to what else is expected. */
  private void readJobs(JobStatus status) {
    Optional<YamlField> given = field(key(status));
    if (given.isEmpty()) {
      return;
    }
    if (given.get().value() instanceof YamlMapping) {
      Fields jobs = fields.object(key(status));
      entries(jobs).forEach(job -> expectations.add(read(status, jobs, job)));
    } else {
      ImmutableList<String> names = names(fields, key(status));
      for (int i = 0; i < names.size(); i++) {
        int line = given.get().value() instanceof YamlSequence list
            ? list.items().get(i).line()
            : given.get().line();
        expectations.add(new Expectation.HasStatus(line, names.get(i), status, ""));
      }
      if (names.isEmpty()) {
        fields.problem(key(status), "no job; expected one, or leave the field out");
      }
    }
  }

  private static Expectation read(JobStatus status, Fields jobs, YamlField job) {
    if (status == JobStatus.ADMITTED && !job.value().isNull()) {
      return new Expectation.RunsOn(job.line(), job.name(), flavors(jobs, job));
    }
    String because = jobs.text(job.name()).orElse("");
    if (!because.isEmpty() && CODE.matchesAllOf(because) && !CODES.contains(because)) {
      jobs.problem(
          job.name(),
          YamlScalar.quote(because) + " is no code of a reason; expected one, or a part of its text"
              + Suggestion.question(because, CODES.stream()));
    }
    return new Expectation.HasStatus(job.line(), job.name(), status, because);
  }

  private static ImmutableList<Expectation.FlavorOf> flavors(Fields jobs, YamlField job) {
    if (!(job.value() instanceof YamlMapping)) {
      return ImmutableList.of(
          new Expectation.FlavorOf("", "", jobs.text(job.name()).orElse("")));
    }
    ImmutableList.Builder<Expectation.FlavorOf> flavors = ImmutableList.builder();
    Fields parts = jobs.object(job.name());
    for (YamlField part : entries(parts)) {
      if (part.value() instanceof YamlMapping) {
        parts
            .textMap(part.name())
            .forEach((resource, flavor) ->
                flavors.add(new Expectation.FlavorOf(part.name(), resource, flavor)));
      } else {
        flavors.add(
            new Expectation.FlavorOf(part.name(), "", parts.text(part.name()).orElse("")));
      }
    }
    return flavors.build();
  }

  /** {@return the texts in a list, or the only one} */
  static ImmutableList<String> names(Fields parent, String field) {
    return ImmutableList.copyOf(
        parent.value(field).filter(YamlScalar.class::isInstance).isPresent()
            ? parent.text(field).stream().toList()
            : parent.texts(field));
  }

  private interface AmountReading {
    Expectation of(int line, QuotaPlace place, long amount);
  }

  /** Reads amounts by ClusterQueue or cohort, flavor and resource. */
  private void readAmounts(String key, AmountReading reading) {
    Fields owners = fields.object(key);
    for (YamlField owner : entries(owners)) {
      Fields flavors = owners.object(owner.name());
      for (YamlField flavor : entries(flavors)) {
        Fields resources = flavors.object(flavor.name());
        for (YamlField resource : entries(resources)) {
          QuotaPlace place = new QuotaPlace(owner.name(), flavor.name(), resource.name());
          long amount = amount(resources, resource.name());
          expectations.add(reading.of(resource.line(), place, amount));
        }
      }
    }
  }

  private static long amount(Fields resources, String resource) {
    Optional<String> text = resources.quantity(resource);
    try {
      return text.isPresent() ? Quantity.quota(resource, text.get()) : 0;
    } catch (IllegalArgumentException e) {
      resources.problem(resource, String.valueOf(e.getMessage()));
      return 0;
    }
  }

  static Duration duration(Fields parent, String name) {
    Optional<String> text = parent.text(name);
    Optional<Duration> duration =
        text.flatMap(TimeText::duration).filter(time -> !time.isNegative());
    if (text.isPresent() && duration.isEmpty()) {
      parent.problem(
          name, YamlScalar.quote(text.get()) + "; expected a duration as PT1H30M or P7D");
    }
    return duration.orElse(Duration.ZERO);
  }
}
