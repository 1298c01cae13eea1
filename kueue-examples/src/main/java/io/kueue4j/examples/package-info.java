/** The command line; start with {@link io.kueue4j.examples.Main}. */
@NullMarked
package io.kueue4j.examples;

import org.jspecify.annotations.NullMarked;
