/**
 * Compares how well placement strategies for TPU slices use a machine: simulations with random
 * jobs, which are the same for each strategy. Start with
 * {@link io.kueue4j.examples.tpu.study.StudyScenario} and
 * {@link io.kueue4j.examples.tpu.study.Study}.
 */
@NullMarked
package io.kueue4j.examples.tpu.study;

import org.jspecify.annotations.NullMarked;
