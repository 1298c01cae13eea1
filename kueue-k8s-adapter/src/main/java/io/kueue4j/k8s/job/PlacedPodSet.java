package io.kueue4j.k8s.job;

/**
 * A pod set of a job without a class of its own.
 *
 * @param podSet the pod set; its template may have more than is written in the job: what the job's
 *     controller is going to add
 * @param place where a start writes
 */
record PlacedPodSet(JobPodSet podSet, InjectionPlace place) {}
