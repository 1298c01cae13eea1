package io.kueue4j.examples.controller;

import java.time.Instant;

/**
 * That a job is being stopped, though it may still have pods.
 *
 * @param reason why, in one word
 * @param message the same for people
 * @param time since when
 */
record Stopping(String reason, String message, Instant time) {}
