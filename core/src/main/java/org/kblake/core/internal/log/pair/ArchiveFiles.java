package org.kblake.core.internal.log.pair;

import java.nio.file.Path;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.LocalDisks;

/**
 * Where the files of an archive are, and how they are read.
 *
 * @param root the archive's root directory
 * @param settings what is known of its logs
 * @param access how its files are asked
 * @param localDisks which of its directories are on disks of this machine
 */
public record ArchiveFiles(
    Path root, ArchiveSettings settings, FileAccess access, LocalDisks localDisks) {}
