/** How long an upload may wait for its next byte, in milliseconds. */
export const UPLOAD_IDLE = 24 * 60 * 60 * 1000

/** The same for one that a visitor has hardly begun: the attack is to hold all slots with uploads of one byte. */
const BEGUN_IDLE = 15 * 60 * 1000
const BEGUN_BYTES = 1024 * 1024

/** How long a finished upload is remembered, in milliseconds. */
export const REMEMBERED = 60 * 60 * 1000

/**
 * When an unfinished upload expires, in milliseconds since 1970.
 *
 * @param upload of a visitor, if it has a link
 * @param state how many bytes it has, and when the last one arrived
 */
export function expiryOfUpload(
  { link, length }: { readonly link?: string | undefined; readonly length: number },
  { size, touched }: { readonly size: number; readonly touched: number },
): number {
  const isHardlyBegun = link !== undefined && size < length && size < BEGUN_BYTES
  return touched + (isHardlyBegun ? BEGUN_IDLE : UPLOAD_IDLE)
}
