package org.kblake.core.internal.log.file;

import java.nio.file.attribute.FileTime;

/**
 * What a directory is known by: as long as that stays the same, so do the names in it.
 *
 * @param device the file system it is on, as that numbers itself
 * @param inode the directory, as its file system numbers it
 * @param changed when it was changed last, which nobody can set
 */
public record DirectoryState(Object device, Object inode, FileTime changed) {}
