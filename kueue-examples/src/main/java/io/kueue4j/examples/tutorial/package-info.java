/**
 * Replays published tutorials: each class has a {@code main} that plays the manifests of one
 * tutorial and prints the results.
 */
@NullMarked
package io.kueue4j.examples.tutorial;

import org.jspecify.annotations.NullMarked;
