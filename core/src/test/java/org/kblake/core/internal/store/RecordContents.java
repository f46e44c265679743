package org.kblake.core.internal.store;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to lists that can be compared. {@link Record#equals} compares arrays by
 * identity.
 */
public final class RecordContents {

  private RecordContents() {}

  /** Returns records, lists and arrays as lists of their contents, and other values unchanged. */
  public static @Nullable Object of(@Nullable Object value) {
    if (value instanceof Record || value instanceof List<?>) {
      return contents(value);
    }
    return value != null && value.getClass().isArray() ? contents(value) : value;
  }

  private static List<@Nullable Object> contents(Object value) {
    List<@Nullable Object> contents = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(each -> contents.add(of(each)));
    } else if (value instanceof Record) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        contents.add(of(component(value, component)));
      }
    } else {
      for (int i = 0; i < Array.getLength(value); i++) {
        contents.add(of(Array.get(value, i)));
      }
    }
    return contents;
  }

  private static @Nullable Object component(Object value, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
