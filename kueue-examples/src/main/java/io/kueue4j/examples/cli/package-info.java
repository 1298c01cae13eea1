/** The commands of the command line and their output. */
@NullMarked
package io.kueue4j.examples.cli;

import org.jspecify.annotations.NullMarked;
