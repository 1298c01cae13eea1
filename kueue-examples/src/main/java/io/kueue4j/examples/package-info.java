/** The entry point: {@link io.kueue4j.examples.Main} runs the command line. */
@NullMarked
package io.kueue4j.examples;

import org.jspecify.annotations.NullMarked;
