package org.kblake.core.internal.log.pair;

import java.nio.file.Path;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.LocalDisks;

/**
 * The location of an archive's files, and how they are read.
 *
 * @param root the archive's root directory
 * @param settings the settings of the archive
 * @param access the access to its file system
 * @param localDisks a classification of its directories as local or remote
 */
public record ArchiveFiles(
    Path root, ArchiveSettings settings, FileAccess access, LocalDisks localDisks) {}
