package org.kblake.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A mounted file system.
 *
 * @param device the device, or the server and its directory
 * @param point the directory at which it is mounted
 * @param type its type, as the kernel names it
 * @param options its options
 */
record Mount(String device, String point, String type, List<String> options) {

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  /** Returns whether an option without a value is set. */
  boolean has(String option) {
    return options.contains(option);
  }

  /** Returns the number of an option, or another number if it is not set. */
  long number(String option, long otherwise) {
    for (String each : options) {
      if (each.startsWith(option + "=")
          && each.substring(option.length() + 1).matches("\\d{1,9}")) {
        return Long.parseLong(each.substring(option.length() + 1));
      }
    }
    return otherwise;
  }

  boolean isNfs() {
    return type.equals("nfs") || type.equals("nfs4");
  }

  boolean isCifs() {
    return type.equals("cifs") || type.equals("smb3");
  }

  boolean isFuse() {
    return type.equals("fuse") || type.startsWith("fuse.");
  }

  boolean isInMemory() {
    return IN_MEMORY.contains(type.toLowerCase(Locale.ROOT));
  }

  boolean isReadOnly() {
    return has("ro");
  }

  @Override
  public String toString() {
    return type + " " + device + " at " + point;
  }
}
