/** The form of what programs log: one line per record, as text or JSON. */
@NullMarked
package io.kueue4j.examples.logging;

import org.jspecify.annotations.NullMarked;
