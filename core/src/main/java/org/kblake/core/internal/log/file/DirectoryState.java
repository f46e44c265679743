package org.kblake.core.internal.log.file;

import java.nio.file.attribute.FileTime;

/**
 * What a directory is known by: as long as that stays the same, so do the names in it.
 *
 * @param device the file system it is on, as that numbers itself
 * @param inode the directory, as its file system numbers it
 * @param changed its change time, which programs cannot set
 */
public record DirectoryState(Object device, Object inode, FileTime changed) {}
