/**
 * Seals the notes that a controller writes to jobs, and keeps their keys in a Secret.
 *
 * <p>A seal is an HMAC-SHA256 over a text and the object that carries it. This package does not
 * interpret notes.
 */
@NullMarked
package io.kueue4j.examples.controller.seal;

import org.jspecify.annotations.NullMarked;
