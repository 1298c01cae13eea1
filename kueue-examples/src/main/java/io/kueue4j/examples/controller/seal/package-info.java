/**
 * Seals of the notes that a controller writes to jobs, and the Secret that holds their keys.
 *
 * <p>A seal is an HMAC-SHA256 over a text and the object that carries it. Nothing here knows what a
 * note says.
 */
@NullMarked
package io.kueue4j.examples.controller.seal;

import org.jspecify.annotations.NullMarked;
