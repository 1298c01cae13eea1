/** Benchmarks; {@code java -cp target/kueue-examples.jar org.openjdk.jmh.Main} runs them. */
@NullMarked
package io.kueue4j.examples.bench;

import org.jspecify.annotations.NullMarked;
