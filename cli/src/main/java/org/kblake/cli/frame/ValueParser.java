package org.kblake.cli.frame;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteOffset;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;
import org.kblake.format.argument.TimeArgument;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses values of the types for which picocli has no parser. The message of a failed parser
 * becomes the user's error line.
 *
 * <p>It has no lambdas, because each of them would take time at every start.
 */
final class ValueParser implements ITypeConverter<Object> {

  private static final ITypeConverter<?>[] PICOCLI = {};

  private final Class<?> type;

  private ValueParser(Class<?> type) {
    this.type = type;
  }

  /** Returns the parser of a type; none if picocli has one. */
  static ITypeConverter<?>[] of(Class<?> type) {
    boolean own =
        type.isEnum()
            || type == Path.class
            || type == TimeArgument.class
            || type == Duration.class
            || type == ByteSize.class
            || type == ByteOffset.class
            || type == Group.class;
    return own ? new ITypeConverter<?>[] {new ValueParser(type)} : PICOCLI;
  }

  @Override
  public Object convert(String text) {
    if (type.isEnum()) {
      return constant(text);
    }
    try {
      return parsed(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private Object parsed(String text) {
    if (type == Path.class) {
      return Path.of(text);
    }
    if (type == TimeArgument.class) {
      return TimeArgument.parse(text);
    }
    if (type == Duration.class) {
      return DurationArgument.parse(text);
    }
    if (type == ByteSize.class) {
      return ByteSize.parse(text);
    }
    return type == ByteOffset.class ? ByteOffset.parse(text) : Group.parse(text);
  }

  /** The values of enums have the names that help and messages show, in any case. */
  private Object constant(String text) {
    StringJoiner names = new StringJoiner(", ");
    for (Object constant : type.getEnumConstants()) {
      String name = constant.toString().toLowerCase(Locale.ROOT);
      if (name.equalsIgnoreCase(text)) {
        return constant;
      }
      names.add(name);
    }
    throw new TypeConversionException("'" + text + "' is not one of " + names);
  }
}
