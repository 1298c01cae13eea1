/**
 * What {@link io.kueue4j.core.EngineView} shows of a fork that nobody changes. Start with
 * {@link io.kueue4j.core.internal.view.StateView}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.view;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
