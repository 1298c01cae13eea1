/** The text form of the elements of scenarios. Depends on the model only. */
@NullMarked
@Internal
package io.kueue4j.core.testkit.text;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
