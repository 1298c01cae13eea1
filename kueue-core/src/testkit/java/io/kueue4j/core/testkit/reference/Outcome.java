package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.Optional;

/**
 * What a cycle decided on one workload.
 *
 * @param job the workload
 * @param queue the ClusterQueue
 * @param admitted what it may start on
 * @param replaced the slice that ends when it starts, if any
 * @param victims who has to stop for it
 * @param reason why it goes back to its queue, of one that is not admitted
 */
record Outcome(
    Job job,
    String queue,
    Optional<Assignment> admitted,
    Optional<Job> replaced,
    ImmutableList<Victim> victims,
    RequeueReason reason) {

  static Outcome requeued(Job job, String queue, RequeueReason reason) {
    return new Outcome(job, queue, Optional.empty(), Optional.empty(), ImmutableList.of(), reason);
  }
}
