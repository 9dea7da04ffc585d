/** Big-endian, in `length` bytes. */
function number(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

/** An MP3 file with a tag that has this cover, and a title before it. */
export function mp3With(cover: Uint8Array): Buffer {
  const frame = (id: string, body: Buffer) =>
    Buffer.concat([Buffer.from(id), number(body.length, 4), number(0, 2), body])
  const frames = Buffer.concat([
    frame('TIT2', Buffer.from('\0A song', 'latin1')),
    frame('APIC', Buffer.concat([Buffer.from('\0image/jpeg\0\x03front\0', 'latin1'), cover])),
  ])
  const size = [21, 14, 7, 0].map((shift) => (frames.length >>> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(size), frames, Buffer.alloc(2000, 0xff)])
}

/** A FLAC file with this cover, behind another block. */
export function flacWith(cover: Uint8Array): Buffer {
  const picture = Buffer.concat([
    ...[number(3, 4), number(10, 4), Buffer.from('image/jpeg'), number(2, 4), Buffer.from('ab'), Buffer.alloc(16)],
    ...[number(cover.length, 4), cover],
  ])
  const block = (kind: number, body: Buffer) => Buffer.concat([number(kind, 1), number(body.length, 3), body])
  return Buffer.concat([Buffer.from('fLaC'), block(0, Buffer.alloc(34)), block(0x86, picture), Buffer.alloc(500, 7)])
}

/** An M4A file with this cover, whose facts are behind the sound. */
export function m4aWith(cover: Uint8Array): Buffer {
  const box = (name: string, ...parts: readonly Uint8Array[]) => {
    const body = Buffer.concat(parts)
    return Buffer.concat([number(8 + body.length, 4), Buffer.from(name), body])
  }
  const data = box('data', number(13, 4), number(0, 4), cover)
  const list = box('ilst', box('trkn', Buffer.alloc(8)), box('covr', data))
  const facts = box('udta', box('meta', number(0, 4), box('hdlr', Buffer.alloc(24)), list))
  return Buffer.concat([
    ...[box('ftyp', Buffer.from('M4A mp42')), box('mdat', Buffer.alloc(3000, 7))],
    box('moov', box('mvhd', Buffer.alloc(100)), facts),
  ])
}
