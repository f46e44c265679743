package org.kblake.core.internal.log.pair;

import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot noted of a pair's files.
 *
 * @param key what identifies the log, so that another one under its name is noticed
 * @param logBytes size of the log
 * @param dataBytes how many of these bytes are believed to be written
 * @param endsWritten whether the last of them was looked at, and was not zero
 * @param closed whether the pair is closed
 * @param tailFinal whether all bytes below the size are final as soon as they are there
 * @param mappable whether the log may be mapped: it will not change and lies on a local disk
 */
public record PairFileState(
    @Nullable Object key,
    long logBytes,
    long dataBytes,
    boolean endsWritten,
    boolean closed,
    boolean tailFinal,
    boolean mappable,
    FileTime indexModified,
    FileTime logModified) {}
