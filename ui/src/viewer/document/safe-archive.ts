import { openZip, TooLargeInside, type Zip } from '../book/zip.ts'

/** Why a document is not shown, although it is not damaged. */
export class NotShown extends Error {
  readonly reason: 'viewer.locked' | 'viewer.tooLarge'

  constructor(reason: NotShown['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Larger documents are not opened: they are held in memory several times. */
export const MAX_DOCUMENT = 25 * 1024 * 1024
/** Bytes of all files that are read, together. Stops zip bombs of many files. */
const MAX_UNPACKED = 100 * 1024 * 1024
/** Documents with a password are in the container of old Office documents. */
const OLD_OFFICE = 'd0cf11e0'
const LOCAL = 0x04034b50
const DIRECTORY = 0x02014b50
const END = 0x06054b50

/** Opens the zip archive that a document is. @throws NotShown; any other Error if it is damaged */
export async function openArchive(document: Blob): Promise<Zip> {
  if (document.size > MAX_DOCUMENT) throw new NotShown('viewer.tooLarge')
  if (await isOldOffice(document)) throw new NotShown('viewer.locked')
  const zip = withinMemory(await openZip(document, decode))
  if ((await zip.text('META-INF/manifest.xml'))?.includes('encryption-data') === true)
    throw new NotShown('viewer.locked')
  return zip
}

/** The same archive, of which all reads together are bounded: they wait for each other. */
function withinMemory(zip: Zip): Zip {
  let total = 0
  let last: Promise<unknown> = Promise.resolve()
  const readNext = async (name: string): Promise<Blob | undefined> => {
    const content = total > MAX_UNPACKED ? undefined : await zip.read(name)
    total += content?.size ?? 0
    if (total > MAX_UNPACKED) throw new TooLargeInside(`${name} is too large to be shown.`)
    return content
  }
  const read = async (name: string): Promise<Blob | undefined> => {
    const reading = last.then(async () => await readNext(name))
    last = reading.catch(() => undefined)
    return await reading
  }
  const text = async (name: string): Promise<string | undefined> => {
    const content = await read(name)
    return content && (await decode(new Uint8Array(await content.arrayBuffer())))
  }
  return { ...zip, read, text }
}

async function decode(bytes: Uint8Array): Promise<string> {
  return new TextDecoder().decode(bytes)
}

export async function isOldOffice(document: Blob): Promise<boolean> {
  const head = new Uint8Array(await document.slice(0, 4).arrayBuffer())
  return Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('') === OLD_OFFICE
}

/** The same archive without compression, for libraries that unpack without limits. @throws TooLargeInside; Error if it is damaged */
export async function unpackedArchive(zip: Zip): Promise<Blob> {
  const locals: BlobPart[] = []
  const directory: BlobPart[] = []
  let [offset, directorySize] = [0, 0]
  for (const [name, checksum] of zip.checksums) {
    const content = (await zip.read(name)) ?? new Blob()
    const bytes = new TextEncoder().encode(name)
    // The version and the flag for names in UTF-8; no compression, no time.
    const facts = [0x0800_0014, 0, 0, checksum, content.size, content.size, bytes.length]
    const local = numbers([LOCAL, ...facts], [4, 4, 2, 4, 4, 4, 4, 4])
    locals.push(local, bytes, content)
    const listed = numbers([DIRECTORY, 20, ...facts, 0, 0, 0, offset], [4, 2, 4, 2, 4, 4, 4, 4, 4, 4, 4, 2, 4])
    directory.push(listed, bytes)
    offset += local.length + bytes.length + content.size
    directorySize += listed.length + bytes.length
  }
  const count = zip.checksums.size
  const end = numbers([END, 0, count, count, directorySize, offset, 0], [4, 4, 2, 2, 4, 4, 2])
  return new Blob([...locals, ...directory, end])
}

/** Little-endian. @param sizes in bytes */
function numbers(values: readonly number[], sizes: readonly (2 | 4)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizes.reduce((sum: number, size) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [index, size] of sizes.entries()) {
    if (size === 2) view.setUint16(at, values[index] ?? 0, true)
    else view.setUint32(at, values[index] ?? 0, true)
    at += size
  }
  return bytes
}
