/**
 * Fits TPU slices into pools that are described in YAML, says where they go or what stands in the
 * way, and draws it. Start with {@link io.kueue4j.examples.tpu.FitFile} and
 * {@link io.kueue4j.examples.tpu.FitSession}.
 */
@NullMarked
package io.kueue4j.examples.tpu;

import org.jspecify.annotations.NullMarked;
