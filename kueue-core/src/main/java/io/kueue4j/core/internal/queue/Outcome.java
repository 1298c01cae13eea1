package io.kueue4j.core.internal.queue;

/** The outcome of an attempt, which queues keep for those who ask why a shape does not fit. */
public interface Outcome {}
