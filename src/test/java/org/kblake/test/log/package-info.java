/**
 * Reads of logs against the naive reader, the samples, and logs that damage or a growing file makes
 * hard to read.
 */
@NullMarked
package org.kblake.test.log;

import org.jspecify.annotations.NullMarked;
