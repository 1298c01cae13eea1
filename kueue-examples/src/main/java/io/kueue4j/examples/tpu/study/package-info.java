/**
 * How well ways to place TPU slices use a machine: simulations with random jobs, the same for each
 * way. Start with {@link io.kueue4j.examples.tpu.study.StudyScenario} and
 * {@link io.kueue4j.examples.tpu.study.Study}.
 */
@NullMarked
package io.kueue4j.examples.tpu.study;

import org.jspecify.annotations.NullMarked;
