package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.util.List;

/** Says in words why workloads wait. */
final class ReasonTexts {
  private ReasonTexts() {}

  static List<String> whyPending(Explanation explanation) {
    boolean notTried = explanation.reasons().stream()
        .allMatch(reason -> reason.code() == ReasonCode.NOT_TRIED_YET);
    int before = explanation.positionInClusterQueue().orElse(0);
    return notTried && before > 0
        ? ImmutableList.of(
            "its turn has not come: workloads before it in its ClusterQueue: " + before)
        : messages(explanation.reasons());
  }

  static List<String> messages(List<Reason> reasons) {
    return reasons.stream().map(Reason::message).collect(toImmutableList());
  }
}
