import { posix } from 'node:path'
import { fail } from '../../../domain/errors.ts'
import { decodeName } from '../../../domain/files/name-text.ts'
import type { ArchiveEntry } from '../../../platform/archives/read/archive-entry.ts'
import { type ArchiveReader, readArchive } from '../../../platform/archives/read/archive-reader.ts'
import { needOf } from '../../../platform/archives/read/reader-need.ts'
import type { OpenFile } from '../../../storage/open-file.ts'

const MEBIBYTE = 1024 * 1024
/** Unpacked bytes. Stops zip bombs: a few kilobytes can unpack to gigabytes. */
const MAX_PICTURE = 16 * MEBIBYTE
const MAX_XML = MEBIBYTE
/** Entries of an archive that are looked at. */
const MAX_ENTRIES = 5000

const BOOK = /\.epub$/i
const DOCUMENT = /\.(?:pptx|od[tsp])$/i
const LETTER = /\.docx$/i
const LETTER_TEXT = 'word/document.xml'
/** Bytes of it that have more words than are shown. */
const TEXT_HEAD = 64 * 1024
/** The picture of the first page that programs for documents save. */
const FIRST_PAGE = /^(?:docProps\/thumbnail\.(?:jpe?g|png)|Thumbnails\/thumbnail\.png)$/i

/** What files of this kind have to show of themselves: they are zip archives with a picture, or with a text in XML. */
export function innerPictureOf(name: string): 'cover' | 'page' | 'text' | undefined {
  if (BOOK.test(name)) return 'cover'
  if (LETTER.test(name)) return 'text'
  return DOCUMENT.test(name) ? 'page' : undefined
}

/** The cover of a book, or the first page of a document. @throws UNSUPPORTED without one, TOO_LARGE, INVALID_INPUT, CANCELLED */
export async function readInnerPicture(file: OpenFile, signal: AbortSignal): Promise<Uint8Array> {
  await using reader = await readArchive(file, 'zip', await needOf(file, 'zip'), signal)
  const entries = await entriesOf(reader)
  const name = BOOK.test(file.name)
    ? await coverOf(async (path) => (await contentOf(reader, entries.get(path), MAX_XML)).toString('utf8'))
    : [...entries.keys()].find((each) => FIRST_PAGE.test(each))
  return await contentOf(reader, name === undefined ? undefined : entries.get(name), MAX_PICTURE)
}

/** The first paragraphs of a letter. @throws UNSUPPORTED if it has no text, INVALID_INPUT, CANCELLED */
export async function readInnerText(file: OpenFile, signal: AbortSignal | undefined): Promise<string> {
  await using reader = await readArchive(file, 'zip', await needOf(file, 'zip'), signal)
  const entry = (await entriesOf(reader)).get(LETTER_TEXT)
  if (entry === undefined) return fail('UNSUPPORTED', 'there is no text in it')
  const bytes = await Array.fromAsync(reader.content(entry, 0, TEXT_HEAD), (part) => Buffer.from(part))
  const paragraphs = Buffer.concat(bytes).toString('utf8').split('</w:p>')
  return paragraphs.map((xml) => Array.from(xml.matchAll(RUN), ([, text = '']) => unescaped(text)).join('')).join('\n')
}

/** A run of text in a paragraph. */
const RUN = /<w:t(?: [^<>]*)?>([^<]*)/g
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => NAMED[name] ?? '')
}

async function entriesOf(reader: ArchiveReader): Promise<Map<string, ArchiveEntry>> {
  const entries = new Map<string, ArchiveEntry>()
  for await (const entry of reader.entries('utf-8')) {
    entries.set(entry.name, entry)
    if (entries.size === MAX_ENTRIES) break
  }
  return entries
}

async function contentOf(reader: ArchiveReader, entry: ArchiveEntry | undefined, most: number): Promise<Buffer> {
  if (entry === undefined) return fail('UNSUPPORTED', 'there is no picture in it')
  if (entry.size > most) fail('TOO_LARGE', 'the picture in it is too large')
  return Buffer.concat(await Array.fromAsync(reader.content(entry), (part) => Buffer.from(part)))
}

/** The path of the cover in an EPUB: named by the package document, or else the first picture that is called so. */
async function coverOf(read: (path: string) => Promise<string>): Promise<string | undefined> {
  const [root] = tagsOf(await read('META-INF/container.xml'), 'rootfile')
  const path = root && valueOf(root, 'full-path')
  if (path === undefined) return undefined
  const text = await read(path)
  const items = tagsOf(text, 'item').filter((item) => valueOf(item, 'media-type')?.startsWith('image/'))
  const named = tagsOf(text, 'meta').find((meta) => valueOf(meta, 'name') === 'cover')
  const id = named && valueOf(named, 'content')
  const cover =
    items.find((item) => valueOf(item, 'properties')?.split(/\s/).includes('cover-image')) ??
    items.find((item) => valueOf(item, 'id') === id) ??
    items.find((item) => /cover/i.test(`${valueOf(item, 'id')} ${valueOf(item, 'href')}`))
  const address = cover && valueOf(cover, 'href')
  return address === undefined ? undefined : posix.join(posix.dirname(path), decodeAddress(address))
}

function decodeAddress(address: string): string {
  try {
    return decodeName(address)
  } catch (error) {
    if (error instanceof URIError) return address
    throw error
  }
}

function tagsOf(xml: string, name: string): string[] {
  return xml.match(new RegExp(`<(?:[\\w-]{1,32}:)?${name}\\s[^<>]*>`, 'g')) ?? []
}

function valueOf(tag: string, name: string): string | undefined {
  const [, one, other] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  const value = one ?? other
  return value && unescaped(value)
}
