/** The snippets of the documentation. */
@NullMarked
package io.kueue4j.examples.docs;

import org.jspecify.annotations.NullMarked;
