package io.kueue4j.examples.controller.state;

import java.time.Instant;

/**
 * That a job is being stopped, although it may still have pods.
 *
 * @param reason the reason, in one word
 * @param message the message for humans
 * @param time when that began
 */
public record Stopping(String reason, String message, Instant time) {}
