/** The text form of what scenarios consist of. Knows the model and nothing of scenarios. */
@NullMarked
@Internal
package io.kueue4j.core.testkit.text;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
