package io.kueue4j.core.lint;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Optional;

/**
 * A fault of a configuration, found by {@link ConfigurationLint} or {@link LoopSearch}. Immutable.
 *
 * @param rule what was looked for
 * @param object the kind and name of the object, for example {@code ClusterQueue research}
 * @param field the path of the field as in {@link Violation#field()}, empty for the whole object
 * @param message what is wrong, with figures
 * @param advice what to change
 * @param play what was played on an engine to confirm it; absent if the configuration alone shows
 *     it, such as a flavor that no node matches
 * @since 0.1.0
 */
public record Finding(
    LintRule rule,
    String object,
    String field,
    String message,
    String advice,
    Optional<Play> play) {
  /**
   * How serious a finding is; the most serious is the greatest.
   *
   * @since 0.1.0
   */
  public enum Severity {
    /** Something could go that does no harm. */
    NOTE,
    /** Something does not do what its author may think. */
    WARNING,
    /** Something can never work. */
    ERROR;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /**
   * What was played on a private engine with the configuration and nothing that runs. Immutable.
   *
   * <p>To repeat it, apply the configuration without its capacity windows, and {@link #added}. Then
   * for each step submit its workloads and run cycles until nothing changes; preempted workloads
   * stop at once. In a loop of preemptions they stop in the order of the story.
   *
   * @param added objects that were added so that workloads reach the queues, such as a LocalQueue
   * @param steps the workloads that were submitted in each step
   * @param story what became of each workload, in the order of their submission
   * @since 0.1.0
   */
  public record Play(List<ConfigObject> added, List<List<Workload>> steps, List<String> story) {
    /** Copies what it is given. */
    public Play {
      added = ImmutableList.copyOf(added);
      steps = steps.stream().map(ImmutableList::copyOf).collect(ImmutableList.toImmutableList());
      story = ImmutableList.copyOf(story);
    }
  }

  /** {@return the severity of the rule} */
  public Severity severity() {
    return rule.severity();
  }

  /** {@return the same as the violation of a rule, so that manifests can say where it is} */
  public Violation toViolation() {
    return new Violation(object, field, message);
  }

  /** {@return the finding in one line} */
  @Override
  public String toString() {
    return severity() + " " + rule + ": " + toViolation() + "; " + advice;
  }
}
