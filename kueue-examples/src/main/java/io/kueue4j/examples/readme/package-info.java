/** The snippets of the README. */
@NullMarked
package io.kueue4j.examples.readme;

import org.jspecify.annotations.NullMarked;
