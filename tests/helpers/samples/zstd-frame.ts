/** A frame of zstd that contains these bytes as they are, and says that its decoder needs a window of this size. */
export function zstdFrame(bytes: Uint8Array, windowLog: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3])
  const blocks: Buffer[] = []
  const size = 64 * 1024
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size)
    const isLast = start + size >= bytes.length
    const block = Buffer.alloc(3)
    block.writeUIntLE(part.length * 8 + (isLast ? 1 : 0), 0, 3)
    blocks.push(block, Buffer.from(part))
  }
  return Buffer.concat([header, ...blocks])
}
