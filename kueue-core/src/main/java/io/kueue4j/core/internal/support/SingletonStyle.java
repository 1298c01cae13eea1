package io.kueue4j.core.internal.support;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import com.google.errorprone.annotations.Immutable;
import com.google.errorprone.annotations.Var;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/**
 * {@link ValueStyle} for a type whose attributes all have defaults: {@code ImmutableX.of()} returns
 * the one instance that has them all.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
@Value.Style(
    jdkOnly = false,
    visibility = Value.Style.ImplementationVisibility.PACKAGE,
    builderVisibility = Value.Style.BuilderVisibility.PACKAGE,
    overshadowImplementation = true,
    allowedClasspathAnnotations = {
      CanIgnoreReturnValue.class,
      CheckReturnValue.class,
      Immutable.class,
      Var.class
    },
    defaults = @Value.Immutable(copy = false, singleton = true))
public @interface SingletonStyle {}
