/**
 * Published tutorials, replayed: each class has a {@code main} that plays the manifests of one
 * tutorial and prints what happens.
 */
@NullMarked
package io.kueue4j.examples.tutorial;

import org.jspecify.annotations.NullMarked;
