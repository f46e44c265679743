/**
 * The events of a log. {@link org.kblake.core.internal.log.scan.LogScanner} reads the segments
 * between milestones. {@link org.kblake.core.internal.log.scan.LogTail} follows the end of a
 * growing log. {@link org.kblake.core.internal.log.scan.MilestoneReader} reads milestones.
 */
@NullMarked
package org.kblake.core.internal.log.scan;

import org.jspecify.annotations.NullMarked;
