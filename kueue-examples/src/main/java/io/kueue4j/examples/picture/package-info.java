/** What all pictures have in common. */
@NullMarked
package io.kueue4j.examples.picture;

import org.jspecify.annotations.NullMarked;
