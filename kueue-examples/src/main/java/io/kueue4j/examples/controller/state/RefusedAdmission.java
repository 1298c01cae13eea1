package io.kueue4j.examples.controller.state;

import java.time.Instant;

/**
 * An admission that the controller refused. Immutable.
 *
 * @param time when it was seen
 * @param kind the kind of its job
 * @param namespace its namespace
 * @param name its name
 * @param reason why it was refused
 */
public record RefusedAdmission(
    Instant time, String kind, String namespace, String name, String reason) {}
