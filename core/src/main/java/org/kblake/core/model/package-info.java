/**
 * Plain values: channels, groups, states, value types, times and ranges of time, near names. No
 * files and no bytes.
 */
@NullMarked
package org.kblake.core.model;

import org.jspecify.annotations.NullMarked;
