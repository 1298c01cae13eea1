/** Shared code of all pictures. */
@NullMarked
package io.kueue4j.examples.picture;

import org.jspecify.annotations.NullMarked;
