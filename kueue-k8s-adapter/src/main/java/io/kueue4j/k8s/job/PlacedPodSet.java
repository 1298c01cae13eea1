package io.kueue4j.k8s.job;

/**
 * A pod set of a job without a class of its own.
 *
 * @param podSet the pod set; its template may contain more than the job: what the controller of the
 *     job will add
 * @param place the fields that a start writes
 */
record PlacedPodSet(JobPodSet podSet, InjectionPlace place) {}
