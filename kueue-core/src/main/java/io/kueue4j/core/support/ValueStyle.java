package io.kueue4j.core.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/**
 * The style of all value types of the project: the generated class is hidden; callers see only the
 * abstract type and its hand-written builder.
 */
@Target({ElementType.PACKAGE, ElementType.TYPE})
@Retention(RetentionPolicy.SOURCE)
@Value.Style(
    jdkOnly = false,
    visibility = Value.Style.ImplementationVisibility.PACKAGE,
    overshadowImplementation = true,
    defaults = @Value.Immutable(copy = false))
public @interface ValueStyle {}
