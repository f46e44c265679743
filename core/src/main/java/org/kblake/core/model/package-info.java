/** Plain values: channels, groups, states, value types, ranges of time. No files and no bytes. */
@NullMarked
package org.kblake.core.model;

import org.jspecify.annotations.NullMarked;
