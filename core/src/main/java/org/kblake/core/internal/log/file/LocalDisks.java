package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A classification of file systems as local disks or network file systems, by the type that the
 * operating system reports. An unknown type counts as remote. This costs speed and a delay of two
 * seconds, but never an event.
 */
public final class LocalDisks {

  private static final Set<String> LOCAL_TYPES =
      Set.of(
          "ext2",
          "ext3",
          "ext4",
          "xfs",
          "btrfs",
          "zfs",
          "f2fs",
          "jfs",
          "reiserfs",
          "bcachefs",
          "nilfs2",
          "tmpfs",
          "ramfs",
          "overlay",
          "overlayfs",
          "aufs",
          "squashfs",
          "iso9660",
          "udf",
          "vfat",
          "exfat",
          "ntfs",
          "ntfs3",
          "fuseblk",
          "apfs",
          "hfs",
          "ufs",
          "erofs");

  /**
   * Results by device. They are kept, because a query reads the whole mount table of the system.
   */
  private final Map<Object, Boolean> localByDevice = new ConcurrentHashMap<>();

  public boolean isLocal(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return isLocalType(file);
    }
    return isLocal(file, Files.getAttribute(file, "unix:dev"));
  }

  /**
   * Returns whether a file lies on a local disk, as {@link #isLocal(Path)} does.
   *
   * @param device the file's {@code unix:dev}
   */
  boolean isLocal(Path file, Object device) throws IOException {
    Boolean known = localByDevice.get(device);
    if (known == null) {
      known = isLocalType(file);
      localByDevice.put(device, known);
    }
    return known;
  }

  private static boolean isLocalType(Path file) throws IOException {
    return isLocalType(Files.getFileStore(file).type());
  }

  /** Returns whether file systems of a type are local disks. */
  public static boolean isLocalType(String type) {
    return LOCAL_TYPES.contains(type.toLowerCase(Locale.ROOT));
  }
}
