/**
 * The events of a log. {@link org.kblake.core.internal.log.scan.LogScanner} reads the segments
 * between milestones. {@link org.kblake.core.internal.log.scan.LogTail} follows the end of a
 * growing log. {@link org.kblake.core.internal.log.scan.MilestoneReader} reads milestones.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}.
 */
@NullMarked
package org.kblake.core.internal.log.scan;

import org.jspecify.annotations.NullMarked;
