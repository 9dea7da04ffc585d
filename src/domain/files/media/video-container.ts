/** Container formats, by their names in ffmpeg. */
export type VideoContainer = 'mov' | 'matroska' | 'avi' | 'ogg' | 'flv' | 'asf' | 'mpegts' | 'mpeg'

const PACKET = 188
/** Blu-ray discs and cameras put a 4-byte timestamp before each packet. */
const TIMED_PACKET = 192

/* eslint-disable no-control-regex -- file signatures are bytes, not text */
const SIGNATURES: readonly (readonly [RegExp, VideoContainer])[] = [
  [/^.{4}(?:ftyp|moov|mdat|wide|free|skip)/s, 'mov'],
  [/^\x1a\x45\xdf\xa3/, 'matroska'],
  [/^RIFF.{4}AVI /s, 'avi'],
  [/^OggS\x00/, 'ogg'],
  [/^FLV\x01/, 'flv'],
  [/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/, 'asf'],
  [/^\x00\x00\x01\xba/, 'mpeg'],
]
/* eslint-enable no-control-regex */

/**
 * The container format shown by the first 512 bytes. Undefined for playlists and other texts, whatever their extension: ffmpeg
 * would open the files that they list.
 */
export function videoContainer(head: Uint8Array): VideoContainer | undefined {
  const text = String.fromCharCode(...head.subarray(0, 16))
  const known = SIGNATURES.find(([signature]) => signature.test(text))
  if (known !== undefined) return known[1]
  return isPackets(head, 0, PACKET) || isPackets(head, 4, TIMED_PACKET) ? 'mpegts' : undefined
}

/** Each packet of an MPEG-2 transport stream (ISO/IEC 13818-1) begins with the sync byte 0x47. */
function isPackets(head: Uint8Array, start: number, length: number): boolean {
  return [start, start + length, start + 2 * length].every((at) => head[at] === 0x47)
}
