package io.kueue4j.examples.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.resource.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Pending jobs of one ClusterQueue that wait for the same: the same quota, whatever amounts they
 * request, or the same obstacle, whatever numbers its description contains.
 *
 * @param key identifies the group from one page to the next
 * @param clusterQueue the ClusterQueue, empty if there is none
 * @param jobs the jobs, in their order
 */
record ReasonGroup(String key, String clusterQueue, ImmutableList<MonitorView.Waiting> jobs) {
  private static final CharMatcher DIGITS = CharMatcher.inRange('0', '9');

  /** {@return the groups of jobs, the largest first} */
  static ImmutableList<ReasonGroup> of(Iterable<MonitorView.Waiting> jobs) {
    Map<List<String>, List<MonitorView.Waiting>> groups = new LinkedHashMap<>();
    for (MonitorView.Waiting job : jobs) {
      groups.computeIfAbsent(kind(job), kind -> new ArrayList<>()).add(job);
    }
    return groups.entrySet().stream()
        .map(group -> new ReasonGroup(
            hash(group.getKey()),
            group.getValue().get(0).clusterQueue(),
            ImmutableList.copyOf(group.getValue())))
        .sorted(Comparator.comparingInt(group -> -group.jobs.size()))
        .collect(ImmutableList.toImmutableList());
  }

  private static String hash(List<String> kind) {
    return Hashing.farmHashFingerprint64()
        .hashString(Joiner.on('\n').join(kind), UTF_8)
        .toString();
  }

  private static List<String> kind(MonitorView.Waiting job) {
    List<String> kind = new ArrayList<>();
    kind.add(job.clusterQueue());
    job.reasons().forEach(reason -> {
      kind.add(reason.code().toString());
      kind.add(reason.flavor().orElse(""));
      kind.add(reason.resource().orElse(""));
      kind.add(isOfQuota(reason) ? "" : DIGITS.collapseFrom(reason.detail(), '#'));
    });
    job.messages().forEach(message -> kind.add(DIGITS.collapseFrom(message, '#')));
    return kind;
  }

  private static boolean isOfQuota(Reason reason) {
    return switch (reason.code()) {
      case EXCEEDS_MAXIMUM, INSUFFICIENT_QUOTA, NO_PREEMPTION_CANDIDATES, TAKEN_IN_CYCLE -> true;
      default -> false;
    };
  }

  /** {@return what the jobs wait for, one text per reason} */
  ImmutableList<String> texts() {
    List<List<Reason>> reasons = jobs.stream().map(MonitorView.Waiting::reasons).toList();
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    for (int i = 0; i < reasons.get(0).size(); i++) {
      int index = i;
      List<Reason> same = reasons.stream().map(each -> each.get(index)).toList();
      texts.add(text(same));
    }
    for (int i = 0; i < jobs.get(0).messages().size(); i++) {
      int index = i;
      texts.add(example(jobs.stream().map(job -> job.messages().get(index)).toList()));
    }
    return texts.build();
  }

  private static String text(List<Reason> same) {
    Reason first = same.get(0);
    if (isOfQuota(first)) {
      return quota(same);
    }
    return first.code() == ReasonCode.NOT_TRIED_YET
        ? "their turn has not come: " + first.detail()
        : example(same.stream().map(Reason::message).toList());
  }

  /** {@return the text that all have, or the first as an example} */
  private static String example(List<String> texts) {
    String first = texts.get(0);
    return texts.stream().allMatch(first::equals) ? first : "such as: " + first;
  }

  private static String quota(List<Reason> same) {
    Reason first = same.get(0);
    String resource = first.resource().orElse("");
    String where = resource
        + first.flavor().map(flavor -> " in flavor " + flavor).orElse("") + ": "
        + range(
            resource,
            same.stream().mapToLong(reason -> reason.asked().orElse(0)).summaryStatistics())
        + " requested";
    if (first.code() == ReasonCode.EXCEEDS_MAXIMUM) {
      return where + ", more than the queue could ever get ("
          + Quantity.format(resource, first.limit().orElse(0)) + ")";
    }
    String available =
        range(resource, same.stream().mapToLong(ReasonGroup::available).summaryStatistics());
    String cause = switch (first.code()) {
      case NO_PREEMPTION_CANDIDATES -> "; no workload may be preempted";
      case TAKEN_IN_CYCLE -> "; earlier workloads of the cycle took it";
      default -> "";
    };
    return where + ", " + available + " available" + cause;
  }

  /** {@return the amount that is available now, even if the reason was found before} */
  private static long available(Reason reason) {
    return reason
        .figures()
        .map(QuotaFigures::available)
        .orElse(reason.available().orElse(0));
  }

  private static String range(String resource, LongSummaryStatistics amounts) {
    String least = Quantity.format(resource, amounts.getMin());
    return amounts.getMin() == amounts.getMax()
        ? least
        : least + "–" + Quantity.format(resource, amounts.getMax());
  }

  /** {@return the holders of the quota that the first job waits for, one text per quota} */
  ImmutableList<String> holders(JobTexts names) {
    return holders(jobs.get(0), names);
  }

  /** {@return the holders of the quota that a job waits for, one text per quota} */
  static ImmutableList<String> holders(MonitorView.Waiting job, JobTexts names) {
    return job.reasons().stream()
        .flatMap(reason -> reason.figures().stream()
            .filter(figures -> !figures.holders().isEmpty())
            .map(figures -> {
              String resource = reason.resource().orElse("");
              String named = figures.holders().stream()
                  .map(holder -> names.of(holder.workload()) + " ("
                      + Quantity.format(resource, holder.amount())
                      + (holder.clusterQueue().equals(job.clusterQueue())
                          ? ")"
                          : " in " + holder.clusterQueue() + ")"))
                  .collect(Collectors.joining(", "));
              return resource + reason.flavor().map(flavor -> " in " + flavor).orElse("") + ": "
                  + named
                  + (figures.otherHolderCount() == 0
                      ? ""
                      : " and " + figures.otherHolderCount() + " more");
            }))
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }
}
