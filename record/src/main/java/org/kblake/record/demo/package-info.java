/**
 * The live demonstration: an IOC in this process, of this host alone, and the commands that record,
 * transcode and serve it.
 */
@NullMarked
package org.kblake.record.demo;

import org.jspecify.annotations.NullMarked;
