package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets one workload start after the other: the next one only when the pods of all others are ready.
 *
 * <p>Rules: L-22, L-23; L-23 as section 17 of the rule index has it.
 */
final class Turns {
  /**
   * An admission that a cycle ended before.
   *
   * @param workload the workload as it was
   * @param admission the admission
   */
  private record Waiting(Workload workload, Map<String, Integer> reclaimable, Admission admission) {
    boolean isOf(Job job) {
      return workload.equals(job.workload()) && reclaimable.equals(job.reclaimable());
    }
  }

  private final State state;
  private @Nullable Waiting waiting;

  Turns(State state) {
    this.state = state;
  }

  private boolean areTaken() {
    return state.specs.podsReady().filter(PodsReadyPolicy::blockAdmission).isPresent();
  }

  /** L-22. */
  private boolean isAnyNotReady() {
    return areTaken()
        && state.jobs().stream()
            .anyMatch(job -> job.admission().isPresent() && !job.readiness.isReady());
  }

  /** {@return whether a workload that fits must wait for others} */
  boolean keepBack(Job job) {
    Waiting first = waiting;
    return isAnyNotReady() || (first != null && !first.isOf(job));
  }

  /** {@return how many of {@code outcomes} take effect, before one must wait for others} */
  int count(List<Outcome> outcomes) {
    int allowed = !areTaken() ? Integer.MAX_VALUE : isAnyNotReady() ? 0 : 1;
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i).admitted().isPresent()) {
        if (allowed == 0) {
          return i;
        }
        allowed--;
      }
    }
    return outcomes.size();
  }

  /** Lets the next cycle begin with an admission. */
  void beginNextWith(Job job, Admission admission) {
    waiting = new Waiting(job.workload(), job.reclaimable(), admission);
  }

  /** {@return whether the next admission waits for others} */
  boolean isWaiting() {
    return waiting != null && isAnyNotReady();
  }

  /** {@return the admission to begin with, empty if there is none, or it is no longer possible} */
  Optional<Admission> takeNext() {
    Waiting first = waiting;
    waiting = null;
    return Optional.ofNullable(first).filter(this::isPossible).map(Waiting::admission);
  }

  private boolean isPossible(Waiting first) {
    String queue = first.admission().clusterQueue();
    return state
        .job(first.workload().id())
        .filter(first::isOf)
        .filter(job -> state.specs.hasQueue(queue)
            && state.specs.isActive(queue)
            && state.queue(queue).contains(job))
        .isPresent();
  }
}
