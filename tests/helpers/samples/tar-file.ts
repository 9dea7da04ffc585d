import { createHash } from 'node:crypto'
import { Header, Pax } from 'tar'
import type { EntryTypeName } from 'tar/types'
import { readTar } from '../../../src/platform/archives/plain-tar.ts'

export interface TarPart {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly type?: EntryTypeName
  readonly linkpath?: string
  readonly mode?: number
  /** The size in the header, if different from the true size. */
  readonly size?: number
}

/** A tar with these entries, valid or not. */
export function tarFile(parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap(({ name, content = '', type = 'File', linkpath, mode, size }) => {
    const bytes = Buffer.from(content)
    const fields = {
      path: name,
      size: size ?? bytes.length,
      mtime: new Date(0),
      type,
      ...(linkpath !== undefined && { linkpath }),
      ...(mode !== undefined && { mode }),
    }
    const block = Buffer.alloc(512)
    const long = new Header(fields).encode(block, 0) ? [new Pax({ path: name }).encode()] : []
    return [...long, block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** The tar with other bytes, as many, in the one header that has this text; given as latin1. */
export function renamedInTar(tar: Buffer, text: string, bytes: string): Buffer {
  const changed = Buffer.from(tar)
  const at = changed.indexOf(text)
  changed.write(bytes, at, 'latin1')
  const header = changed.subarray(at - (at % 512), at - (at % 512) + 512)
  header.write(sumOf(header), 148, 'latin1')
  return changed
}

/** The checksum of a header, as it is written. */
export function sumOf(header: Buffer): string {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  return `${sum.toString(8).padStart(6, '0')}\0 `
}

/** A header that sets the name of the next file. */
export function paxHeader(path: string): Buffer {
  return new Pax({ path }).encode()
}

/** The files of a tar, by name. */
export async function filesIn(tar: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const limits = { limitOf: () => Number.MAX_SAFE_INTEGER, files: 1000, bytes: Number.MAX_SAFE_INTEGER }
  for await (const { name, bytes } of readTar(inParts(tar), limits)) files.set(name, bytes)
  return files
}

/** The bytes as a stream, in chunks with arbitrary boundaries. */
export async function* inParts(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A backup of these files with a matching manifest, except for the given changes. */
export function backupOf(files: Readonly<Record<string, string | Uint8Array>>, manifest: object = {}): Buffer {
  const parts = Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) }))
  const listed = parts.map(({ name, content }) => ({
    name,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }))
  const whole = { format: 1, filemgr: '1.0.0', created: '2026-01-01T00:00:00.000Z', files: listed, ...manifest }
  return tarFile([...parts, { name: 'manifest.json', content: JSON.stringify(whole) }])
}
