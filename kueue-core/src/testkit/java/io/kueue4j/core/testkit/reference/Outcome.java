package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.Optional;

/**
 * The decision of a cycle on one workload.
 *
 * @param job the workload
 * @param queue the ClusterQueue
 * @param admitted its admission
 * @param replaced the elastic slice that ends when it starts, if any
 * @param victims its victims
 * @param reason why it is requeued, if it is not admitted
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
