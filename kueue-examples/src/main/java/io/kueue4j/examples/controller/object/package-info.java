/** What one object of a cluster says, and the objects that were seen. */
@NullMarked
package io.kueue4j.examples.controller.object;

import org.jspecify.annotations.NullMarked;
