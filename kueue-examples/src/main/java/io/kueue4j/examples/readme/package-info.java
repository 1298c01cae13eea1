/** The snippets of the README, as they stand there. */
@NullMarked
package io.kueue4j.examples.readme;

import org.jspecify.annotations.NullMarked;
