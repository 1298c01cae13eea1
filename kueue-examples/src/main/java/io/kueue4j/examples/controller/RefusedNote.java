package io.kueue4j.examples.controller;

import java.time.Instant;

/**
 * A note that the controller refused. Immutable.
 *
 * @param time when it was seen
 * @param kind the kind of the job that carried it
 * @param namespace its namespace
 * @param name its name
 * @param reason why it was refused
 */
public record RefusedNote(
    Instant time, String kind, String namespace, String name, String reason) {}
