package org.kblake.core.internal.log.file;

import java.nio.file.attribute.FileTime;

/**
 * The state of a directory. While it stays the same, the names in the directory stay the same.
 *
 * @param device the number of the directory's file system
 * @param inode the number of the directory in its file system
 * @param changed the change time; programs cannot set it
 */
public record DirectoryState(Object device, Object inode, FileTime changed) {}
