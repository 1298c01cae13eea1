/**
 * Benchmarks without a framework: how long calls take, how that grows, how much memory is retained.
 *
 * <p>The command {@code measure} runs them. Benchmarks of single calls use JMH; they are in the
 * package of this name among the tests, and not in the runnable jar.
 */
@NullMarked
package io.kueue4j.examples.bench;

import org.jspecify.annotations.NullMarked;
