/**
 * Free and used capacity of topology domains, as text and as a picture, and where jobs would go.
 */
@NullMarked
package io.kueue4j.examples.topology;

import org.jspecify.annotations.NullMarked;
