package org.kblake.lake.table;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.kblake.core.model.Group;

/**
 * The names of tables: namespace SYSTEM, table GROUP_KIND, such as {@code VA.CCG_double}. Names
 * have letters, digits and underscores only, so that SQL needs no quotes. A byte of UTF-8 that is
 * none of these is written as {@code _xHH}. The underscore of a group's own {@code _x} is written
 * so, too. Therefore different groups have different names.
 */
public final class TableNames {

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

  private TableNames() {}

  /** Returns the name of a group's table. */
  public static TableIdentifier of(Group group, TableKind kind) {
    return TableIdentifier.of(namespace(group), escaped(group.name()) + "_" + kind);
  }

  /** Returns the namespace of a group's tables. */
  public static Namespace namespace(Group group) {
    return Namespace.of(escaped(group.system()));
  }

  static String escaped(String name) {
    StringBuilder escaped = new StringBuilder();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char letter = (char) (bytes[i] & 0xff);
      boolean marks = letter == '_' && i + 1 < bytes.length && bytes[i + 1] == 'x';
      if (LETTERS.indexOf(letter) >= 0 && !marks) {
        escaped.append(letter);
      } else {
        escaped.append(String.format(Locale.ROOT, "_x%02X", (int) letter));
      }
    }
    return escaped.toString();
  }
}
