/** Bytes examined to recognize UTF-16 without a byte order mark. */
const SAMPLE = 1000

/**
 * Decodes subtitles by their byte order mark, else as UTF-16 if every second byte is mostly zero, else as UTF-8, else as
 * Windows-1252, which accepts any byte.
 */
export function decodeSubtitles(bytes: Uint8Array): string {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  const encoding = marked ?? wideEncoding(bytes.subarray(0, SAMPLE))
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** In UTF-16, digits, spaces and line ends have a zero byte, always on the same side. */
function wideEncoding(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 8
  if (odd > many && even < odd / 4) return 'utf-16le'
  return even > many && odd < even / 4 ? 'utf-16be' : undefined
}
