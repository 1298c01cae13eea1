package io.kueue4j.core.lint;

import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.SortedMap;

/**
 * What is equal about equal workloads of a small world. Immutable.
 *
 * @param queue where it waits
 * @param requests how much of which resources its pod requests
 * @param priority its priority
 */
record JobType(LocalQueue queue, SortedMap<String, Long> requests, int priority) {
  /** {@return the identity of the workload of a number; the name says its ClusterQueue} */
  WorkloadId id(int number) {
    return WorkloadId.of(queue.namespace(), queue.clusterQueue() + "-" + number);
  }

  /** {@return the ClusterQueue of a workload of a small world} */
  static String clusterQueue(WorkloadId job) {
    return job.name().substring(0, job.name().lastIndexOf('-'));
  }

  /** {@return the workload of a number} */
  Workload workload(int number, Instant created) {
    WorkloadId id = id(number);
    return Workload.builder()
        .namespace(id.namespace())
        .name(id.name())
        .queueName(queue.name())
        .priority(priority)
        .creationTime(created)
        .addPodSets(PodSet.builder().requests(requests).build())
        .build();
  }
}
