/**
 * The metadata of channels: the files {@code SYSTEM/GROUP/channels.csv} of a folder, which describe
 * channels and name the records that they were before they were renamed.
 */
@NullMarked
package org.kblake.core.metadata;

import org.jspecify.annotations.NullMarked;
