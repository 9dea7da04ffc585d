import { crc32, deflateRawSync } from 'node:zlib'

interface ZipPart {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  readonly stored?: boolean
  /** The type of a Unix file, such as 0o120000 for a link. */
  readonly type?: number
  /** The attributes of DOS, such as 0x10 for a folder. */
  readonly attributes?: number
  /** The version and, in the upper byte, the system that made the entry: Unix by default. */
  readonly madeBy?: number
  /** Whether the headers say that the name is UTF-8, as they do by default. */
  readonly isUtf8?: boolean
  /** Extra fields in the directory. */
  readonly extra?: Uint8Array
  /** False values for the headers. */
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  readonly size?: number
  readonly packed?: number
  readonly offset?: number
}

/** A zip archive with these entries, valid or not. */
export function zipFile(parts: readonly ZipPart[], isWide = false): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const bytes = Buffer.from(part.content ?? '')
    const name = Buffer.from(part.name)
    const extra = Buffer.from(part.extra ?? [])
    const packed = part.stored === true ? bytes : deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE((part.isUtf8 === false ? 0 : 0x0800) | (part.flags ?? 0), 2)
    facts.writeUInt16LE(part.method ?? (part.stored === true ? 0 : 8), 4)
    facts.writeUInt32LE(part.crc ?? crc32(bytes), 10)
    facts.writeUInt32LE(part.packed ?? packed.length, 14)
    facts.writeUInt32LE(part.size ?? bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE((part.type ?? 0) * 0x10000 + (part.attributes ?? 0), 6)
    place.writeUInt32LE(part.offset ?? offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed])
    const head = Buffer.from('PK\x01\x02\0\0', 'latin1')
    head.writeUInt16LE(part.madeBy ?? 0x0314, 4)
    const listed = Buffer.from(facts)
    listed.writeUInt16LE(extra.length, 24)
    directory.push(Buffer.concat([head, listed, place, name, extra]))
    locals.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([...locals, ...directory, endOf(directory.length, size, offset, isWide)])
}

function endOf(count: number, size: number, offset: number, isWide: boolean): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(isWide ? 0xffff : count, 8)
  end.writeUInt16LE(isWide ? 0xffff : count, 10)
  end.writeUInt32LE(isWide ? 0xffffffff : size, 12)
  end.writeUInt32LE(isWide ? 0xffffffff : offset, 16)
  if (!isWide) return end
  const wide = Buffer.alloc(56)
  wide.write('PK\x06\x06', 'latin1')
  wide.writeBigUInt64LE(44n, 4)
  for (const at of [24, 32]) wide.writeBigUInt64LE(BigInt(count), at)
  wide.writeBigUInt64LE(BigInt(size), 40)
  wide.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([wide, locator, end])
}
