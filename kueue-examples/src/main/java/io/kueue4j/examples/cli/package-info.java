/** The command line: a class for each command, and the reports that commands print. */
@NullMarked
package io.kueue4j.examples.cli;

import org.jspecify.annotations.NullMarked;
