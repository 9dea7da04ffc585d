const HEADER = 54

/** A bitmap of 24 bits. @param data red, green, blue, 8 bits each */
export function encodeBmp(data: Uint8Array, width: number, height: number): Uint8Array {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = new Uint8Array(HEADER + stride * height)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, HEADER, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  view.setUint32(34, stride * height, true)
  for (let row = 0; row < height; row += 1) {
    const line = HEADER + (height - 1 - row) * stride
    for (let x = 0; x < width * 3; x += 3) {
      const from = row * width * 3 + x
      bytes[line + x] = data[from + 2] ?? 0
      bytes[line + x + 1] = data[from + 1] ?? 0
      bytes[line + x + 2] = data[from] ?? 0
    }
  }
  return bytes
}
