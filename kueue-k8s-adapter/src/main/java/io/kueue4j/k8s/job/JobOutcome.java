package io.kueue4j.k8s.job;

/**
 * How a job ended.
 *
 * @param succeeded whether it did what it was to do
 * @param message the job's own words, may be empty
 */
public record JobOutcome(boolean succeeded, String message) {}
