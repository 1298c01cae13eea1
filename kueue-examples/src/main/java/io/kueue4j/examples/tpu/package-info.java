/**
 * Fits TPU slices into pools that are described in YAML, reports the places or why they do not fit,
 * and draws them. Start with {@link io.kueue4j.examples.tpu.FitFile} and
 * {@link io.kueue4j.examples.tpu.FitSession}.
 */
@NullMarked
package io.kueue4j.examples.tpu;

import org.jspecify.annotations.NullMarked;
