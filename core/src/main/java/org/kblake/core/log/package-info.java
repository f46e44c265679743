/**
 * The logs of a group. {@link org.kblake.core.log.LogWriter} writes a pair as kblog does, never
 * below an archive that kblake reads. {@link org.kblake.core.log.LogSpan} and {@link
 * org.kblake.core.log.Coverage} name bytes of logs, {@link org.kblake.core.log.WriteTimes} tells
 * when kblog was running.
 */
@NullMarked
package org.kblake.core.log;

import org.jspecify.annotations.NullMarked;
