/** How long an upload may wait for its next byte, in milliseconds. */
export const UPLOAD_IDLE = 24 * 60 * 60 * 1000

/** How long a finished upload is remembered, in milliseconds. */
export const REMEMBERED = 60 * 60 * 1000

/** A record takes milliseconds to write: what is older than this and not whole never will be. In milliseconds. */
export const RECORD_WRITTEN = 60 * 60 * 1000
