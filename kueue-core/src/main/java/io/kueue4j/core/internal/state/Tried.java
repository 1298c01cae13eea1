package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.attempt.Attempt;

/**
 * A head and the result of its attempt.
 *
 * @param head the head
 * @param attempt the result
 */
public record Tried(Head head, Attempt attempt) {}
