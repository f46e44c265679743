/**
 * What servers say of channels besides their values, as files of the archive ({@code SYS/channels})
 * that readers put beneath those of people.
 */
@NullMarked
package org.kblake.record.metadata;

import org.jspecify.annotations.NullMarked;
