/** The commands of the command line and how they print. */
@NullMarked
package io.kueue4j.examples.cli;

import org.jspecify.annotations.NullMarked;
