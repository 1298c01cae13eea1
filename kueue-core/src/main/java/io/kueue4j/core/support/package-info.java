/**
 * What every package of the engine may use and nobody outside should: the style of the generated
 * value types, the mark of packages that are not API.
 */
@Internal
@NullMarked
package io.kueue4j.core.support;

import org.jspecify.annotations.NullMarked;
