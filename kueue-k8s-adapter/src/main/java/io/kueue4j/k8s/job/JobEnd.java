package io.kueue4j.k8s.job;

/**
 * How a job ended.
 *
 * @param succeeded whether it succeeded
 * @param message the job's own message, may be empty
 * @since 0.1.0
 */
public record JobEnd(boolean succeeded, String message) {}
