/** SVG pages: what the pictures of capacity and of TPU slices have in common. */
@NullMarked
package io.kueue4j.examples.picture;

import org.jspecify.annotations.NullMarked;
