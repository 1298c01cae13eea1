package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.examples.simulation.YamlFile;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Maps jobs to queues by user, group, queue and partition. The first rule that matches a job
 * applies.
 *
 * @param rules the rules, in their order
 */
public record QueueMapping(ImmutableList<Rule> rules) {
  /** The mapping without rules. */
  public static final QueueMapping NONE = new QueueMapping(ImmutableList.of());

  /**
   * A rule. An empty set matches every job.
   *
   * @param users the users
   * @param groups the groups
   * @param queues the queues
   * @param partitions the partitions
   * @param localQueue the LocalQueue, as {@code namespace/name}
   * @param clusterQueue the ClusterQueue, if there is no LocalQueue
   * @param priority the priority of the jobs, if it is not the priority in the history
   */
  public record Rule(
      ImmutableSet<String> users,
      ImmutableSet<String> groups,
      ImmutableSet<String> queues,
      ImmutableSet<String> partitions,
      Optional<String> localQueue,
      Optional<String> clusterQueue,
      OptionalInt priority) {
    boolean matches(Labels job) {
      return matches(users, job.user())
          && matches(groups, job.group())
          && matches(queues, job.queue())
          && matches(partitions, job.partition());
    }

    private static boolean matches(ImmutableSet<String> allowed, String value) {
      return allowed.isEmpty() || allowed.contains(value);
    }
  }

  /**
   * Reads a mapping.
   *
   * @throws InputException if it is unreadable or malformed; names every position
   */
  public static QueueMapping read(InputFile file) {
    return YamlFile.read(file.toString(), TextFiles.read(file), "rules", QueueMapping::read)
        .withoutNotes();
  }

  private static QueueMapping read(Fields root) {
    ImmutableList<Rule> rules =
        root.objects("rules").stream().map(QueueMapping::rule).collect(toImmutableList());
    if (rules.isEmpty()) {
      root.missing("rules", "at least one");
    }
    return new QueueMapping(rules);
  }

  private static Rule rule(Fields fields) {
    Rule rule = new Rule(
        ImmutableSet.copyOf(fields.texts("users")),
        ImmutableSet.copyOf(fields.texts("groups")),
        ImmutableSet.copyOf(fields.texts("queues")),
        ImmutableSet.copyOf(fields.texts("partitions")),
        fields.text("localQueue"),
        fields.text("clusterQueue"),
        fields.integer("priority"));
    if (rule.localQueue().isPresent() == rule.clusterQueue().isPresent()) {
      fields.problem("localQueue", "expected either localQueue or clusterQueue");
    }
    rule.localQueue()
        .filter(name -> name.chars().filter(character -> character == '/').count() != 1)
        .ifPresent(name -> fields.problem("localQueue", "'" + name + "'; expected namespace/name"));
    return rule;
  }

  /** {@return the rule for a job, empty if none matches} */
  Optional<Rule> rule(Labels job) {
    return rules.stream().filter(rule -> rule.matches(job)).findFirst();
  }
}
