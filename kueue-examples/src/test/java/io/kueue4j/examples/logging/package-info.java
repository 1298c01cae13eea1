/** Tests of what programs log. */
@NullMarked
package io.kueue4j.examples.logging;

import org.jspecify.annotations.NullMarked;
