package io.kueue4j.k8s.job;

import com.google.common.base.MoreObjects;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.internal.yaml.Elements;
import io.kueue4j.k8s.internal.yaml.ManifestParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the metadata that all jobs have in common, and collects violations in it. */
final class JobMetadata {
  private static final Splitter COMMA = Splitter.on(',').trimResults();
  private static final int MAX_GATE = 63;
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private final HasMetadata job;
  private final ImmutableList.Builder<Violation> violations;

  JobMetadata(HasMetadata job, ImmutableList.Builder<Violation> violations) {
    this.job = job;
    this.violations = violations;
  }

  static Map<String, String> labels(HasMetadata job) {
    return Objects.requireNonNullElse(metadata(job).getLabels(), Map.of());
  }

  static Map<String, String> annotations(HasMetadata job) {
    return Objects.requireNonNullElse(metadata(job).getAnnotations(), Map.of());
  }

  static ObjectMeta metadata(HasMetadata job) {
    return MoreObjects.firstNonNull(job.getMetadata(), new ObjectMeta());
  }

  /** {@return the owner of the job that is its controller} */
  static Optional<OwnerReference> controller(HasMetadata job) {
    return Elements.<OwnerReference>of(metadata(job).getOwnerReferences()).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  /** {@return the name; if there is none yet, the prefix of the generated name} */
  static String name(HasMetadata job) {
    ObjectMeta metadata = metadata(job);
    return Strings.isNullOrEmpty(metadata.getName())
        ? Strings.nullToEmpty(metadata.getGenerateName())
        : metadata.getName();
  }

  /** {@return kind and name, as used in violations} */
  static String describe(HasMetadata job) {
    return ManifestParser.describe(job);
  }

  /**
   * {@return the queue named by the label, or by the annotation if there is no label and
   * {@code legacyAnnotation}; empty for none}
   */
  static String queueName(HasMetadata job, boolean legacyAnnotation) {
    String label = Strings.nullToEmpty(labels(job).get(MetadataKeys.QUEUE_NAME));
    return label.isEmpty() && legacyAnnotation
        ? Strings.nullToEmpty(annotations(job).get(MetadataKeys.QUEUE_NAME))
        : label;
  }

  /** Checks the name of the job, which may have been generated, like the API server. */
  void checkName(String name) {
    String field = Strings.isNullOrEmpty(metadata(job).getName())
            && !Strings.isNullOrEmpty(metadata(job).getGenerateName())
        ? "metadata.generateName"
        : "metadata.name";
    if (name.isEmpty()) {
      violation(field, "empty; expected a name or a generateName");
    } else if (name.length() > DnsNames.MAX_SUBDOMAIN) {
      violation(field, name.length() + " characters; expected at most " + DnsNames.MAX_SUBDOMAIN);
    } else if (!DnsNames.isSubdomain(name)) {
      violation(
          field,
          "\"" + name + "\"; expected lower-case letters, digits, '-' and '.', with a letter or"
              + " digit first and last");
    }
  }

  void checkQueueName(String queueName) {
    if (!DnsNames.isSubdomain(queueName)) {
      boolean label = labels(job).containsKey(MetadataKeys.QUEUE_NAME);
      violation(
          label
              ? MetadataKeys.label(MetadataKeys.QUEUE_NAME)
              : MetadataKeys.annotation(MetadataKeys.QUEUE_NAME),
          "\"" + queueName + "\"; expected the name of a LocalQueue: lower-case letters, digits,"
              + " '-' and '.'");
    }
  }

  ImmutableSortedSet<String> admissionGates() {
    String text = Strings.nullToEmpty(annotations(job).get(MetadataKeys.ADMISSION_GATED_BY));
    Set<String> gates = new HashSet<>();
    if (!text.isEmpty()) {
      for (String gate : COMMA.split(text)) {
        if (!isDomainPrefixedPath(gate) || !gates.add(gate)) {
          violation(
              MetadataKeys.annotation(MetadataKeys.ADMISSION_GATED_BY),
              "\"" + gate + "\" in \"" + text
                  + "\"; expected different names such as example.com/gate, separated by commas");
        }
      }
    }
    return ImmutableSortedSet.copyOf(gates);
  }

  private static boolean isDomainPrefixedPath(String gate) {
    int slash = gate.indexOf('/');
    return gate.length() <= MAX_GATE
        && slash > 0
        && DnsNames.isSubdomain(gate.substring(0, slash))
        && PATH.matcher(gate.substring(slash + 1)).matches();
  }

  OptionalInt maximumExecutionTimeSeconds() {
    String text = labels(job).get(MetadataKeys.MAX_EXEC_TIME_SECONDS);
    if (text == null) {
      return OptionalInt.empty();
    }
    Integer seconds = Ints.tryParse(text);
    if (seconds == null || seconds <= 0) {
      violation(
          MetadataKeys.label(MetadataKeys.MAX_EXEC_TIME_SECONDS),
          "\"" + text + "\"; expected a number of seconds above 0");
      return OptionalInt.empty();
    }
    return OptionalInt.of(seconds);
  }

  Optional<Duration> expectedDuration() {
    String text = annotations(job).get(BackfillAnnotations.EXPECTED_DURATION);
    Optional<Duration> duration = Optional.ofNullable(text).flatMap(BackfillAnnotations::duration);
    if (text != null && duration.isEmpty()) {
      violation(
          MetadataKeys.annotation(BackfillAnnotations.EXPECTED_DURATION),
          BackfillAnnotations.durationProblem(text));
    }
    return duration;
  }

  Optional<Instant> creationTime() {
    String text = Strings.nullToEmpty(metadata(job).getCreationTimestamp());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      violation(
          "metadata.creationTimestamp",
          "\"" + text + "\"; expected a time such as 2026-01-01T00:00:00Z");
      return Optional.empty();
    }
  }

  private void violation(String field, String problem) {
    violations.add(new Violation(describe(job), field, problem));
  }
}
