import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option } from 'commander'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { NAME_ENCODINGS } from '../../../domain/text/encodings.ts'
import { namesFolder } from '../../../domain/files/virtual-path.ts'
import { secondsText, writableTime } from '../../../domain/files/file-time.ts'
import type { FolderSize, Listing } from '../../../domain/files/resource.ts'
import { printable } from '../../../domain/text/printable.ts'
import { formatByteSize } from '../../../domain/text/units.ts'
import { jsonOf, remoteOf, remoteOptions, type RemoteRequest } from '../../server-client.ts'
import { command, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { localPath } from '../../terminal/given-words.ts'
import { isStream, takesStream, unreadable } from '../../program/named-files.ts'
import { isErrno, unwritable } from '../../../platform/files/error-code.ts'
import { drawTable } from '../../terminal/table.ts'

const inside = () => new Option('--inside <path>', 'a path in a zip or tar archive; / is its top')
/** Of names in an archive. */
export const nameEncoding = () =>
  new Option(
    '--encoding <encoding>',
    'of names in the archive that do not say theirs; left out, it is detected',
  ).choices(NAME_ENCODINGS)
const overwrite = () => new Option('--overwrite', 'replace an existing file')

export const put = command({
  name: 'put <file> <path>',
  summary: 'Upload a file to a server with an API token',
  options: [...remoteOptions(), overwrite()],
  examples: [
    ['put report.pdf /inbox/ --url https://files.example.com --token-file ~/.filemgr-token', 'into a folder'],
    ['put state.tar /backup/state.tar --overwrite', 'with FILEMGR_URL and FILEMGR_TOKEN set'],
    ['put - /backup/db.sql', 'from standard input'],
    ['put <(pg_dump shop) /backup/shop.sql', 'from a pipe'],
  ],
  async run(invocation) {
    const [file, target] = [wordOf(invocation, 0), wordOf(invocation, 1)]
    const { open, headers, size } = await sourceOf(file, invocation)
    if (size === undefined && namesFolder(target)) {
      const what = file === '-' ? 'standard input' : file
      fail('INVALID_INPUT', `${what} has no name of its own; give the path of the new file, not of a folder`, {
        field: 'path',
      })
    }
    const path = namesFolder(target) ? `${target}${basename(file)}` : target
    const remote = await remoteOf(invocation)
    const body = open()
    const query = invocation.values['overwrite'] === true ? { override: 'true' } : {}
    const reply = await remote
      .send({ method: 'POST', call: 'resources', path, query, headers, body })
      .catch((error: unknown) => {
        if (!isFilemgrError(error, 'CONFLICT')) throw error
        return fail('CONFLICT', `${path} exists; to replace it, add --overwrite`, {}, { cause: error })
      })
    reply.resume()
    if (headers['x-oc-mtime'] !== undefined && reply.headers['x-oc-mtime'] !== 'accepted')
      invocation.output.warning(`${path}: the disk of the server could not keep the modification time`)
    const text = size === undefined ? path : `${path}: ${formatByteSize(size)}`
    await invocation.output.answer({ json: { path, ...(size !== undefined && { size }) }, ids: [path], text })
  },
})

export const get = command({
  name: 'get <path> [file]',
  summary: 'Download a file, or a folder as a zip, from a server with an API token',
  options: [...remoteOptions(), overwrite(), inside(), nameEncoding()],
  examples: [
    ['get /inbox/report.pdf --url https://files.example.com --token-file ~/.filemgr-token', 'into this folder'],
    ['get /photos photos.zip', 'with FILEMGR_URL and FILEMGR_TOKEN set'],
    ['get /backup/db.sql - | psql', 'to standard output'],
    ['get /photos.zip --inside 2026/a.jpg', 'a file in an archive'],
  ],
  async run(invocation) {
    const path = wordOf(invocation)
    const [, named] = invocation.words
    const { terminal, output } = invocation
    const remote = await remoteOf(invocation)
    const reply = await remote.send({ method: 'GET', path, ...callFor(invocation, 'raw', 'archived') })
    if (named === '-') {
      await pipeline(reply, terminal.stdout, { end: false }).catch((error: unknown) => {
        if (!isBrokenOff(error)) throw error
        fail('UNAVAILABLE', 'the connection broke off; the output is incomplete', {}, { cause: error })
      })
      return
    }
    const name = typeof named === 'string' ? named : nameIn(reply.headers['content-disposition'])
    const target = resolve(terminal.cwd(), name)
    const present = statSync(localPath(target), { throwIfNoEntry: false })
    const intoStream = takesStream(localPath(target))
    if (present !== undefined && !intoStream && invocation.values['overwrite'] !== true) {
      reply.destroy()
      fail('CONFLICT', `${target} exists; to replace it, add --overwrite`, { field: 'file' })
    }
    if (intoStream) {
      await copyInto(reply, target)
      return
    }
    await save(reply, target, modifiedIn(reply.headers['last-modified']))
    const { size } = await stat(localPath(target))
    await output.answer({
      json: { file: target, size },
      ids: [target],
      text: printable(`${target}: ${formatByteSize(size)}`),
    })
  },
})

const HEADINGS = ['NAME', 'SIZE', 'MODIFIED']

export const ls = command({
  name: 'ls [path]',
  summary: 'List a folder of a server with an API token',
  options: [...remoteOptions(), inside(), nameEncoding()],
  examples: [
    ['ls /inbox --url https://files.example.com --token-file ~/.filemgr-token', 'a table'],
    ['ls / --json', 'as JSON, with FILEMGR_URL and FILEMGR_TOKEN set'],
    ['ls /photos.zip --inside 2026', 'a folder in an archive'],
  ],
  async run(invocation) {
    const remote = await remoteOf(invocation)
    const path = wordOf(invocation)
    const reply = await remote.send({ method: 'GET', path, ...callFor(invocation, 'resources', 'archives') })
    const found = await jsonOf<Partial<Listing> & Listing['items'][number]>(reply)
    const items = found.items ?? [found]
    const rows = items.map(({ name, size, modified, isDir }) =>
      isDir ? [`${name}/`, '', modified] : [name, formatByteSize(size), modified],
    )
    const { output } = invocation
    await output.answer({
      json: items,
      ids: items.map(({ name }) => name),
      text: () => drawTable(HEADINGS, rows, output, ['MODIFIED']),
    })
  },
})

const SIZE_HEADINGS = ['SIZE', 'FILES', 'FOLDERS', 'PATH']

export const du = command({
  name: 'du [path...]',
  summary: 'Show the total size of folders of a server with an API token',
  options: remoteOptions(),
  examples: [
    ['du --url https://files.example.com --token-file ~/.filemgr-token', 'everything the token reaches'],
    ['du /photos /videos --json', 'two folders as JSON, with FILEMGR_URL and FILEMGR_TOKEN set'],
  ],
  async run(invocation) {
    const remote = await remoteOf(invocation)
    const paths = restOf(invocation).length === 0 ? ['/'] : restOf(invocation)
    const sizes: (FolderSize & { readonly path: string })[] = []
    for (const path of paths) {
      const reply = await remote.send({ method: 'GET', call: 'measure', path })
      sizes.push({ path, ...(await jsonOf<FolderSize>(reply)) })
    }
    const { output } = invocation
    await output.answer({
      json: sizes,
      ids: sizes.map(({ bytes }) => bytes),
      text: () =>
        drawTable(
          SIZE_HEADINGS,
          sizes.map(({ path, bytes, files, folders }) => [formatByteSize(bytes), `${files}`, `${folders}`, path]),
          output,
        ),
    })
  },
})

/** The API call for a path, or with --inside for a path in an archive. */
function callFor({ values }: Invocation, call: string, archiveCall: string): Pick<RemoteRequest, 'call' | 'query'> {
  const { inside: path, encoding } = values
  if (typeof path !== 'string') return { call }
  return { call: archiveCall, query: { inside: path, ...(typeof encoding === 'string' && { encoding }) } }
}

interface Source {
  /** Nothing is read before. */
  open(): Readable
  readonly headers: Readonly<Record<string, string | number>>
  /** In bytes; undefined for standard input, pipes and devices, which have no name and no end that is known. */
  readonly size?: number
}

async function sourceOf(file: string, { terminal }: Invocation): Promise<Source> {
  if (file === '-') return { open: () => terminal.stdin, headers: {} }
  const path = localPath(resolve(terminal.cwd(), file))
  const stats = await stat(path, { bigint: true }).catch((error: unknown) => unreadable(file, error))
  if (isStream(stats)) return { open: () => createReadStream(path), headers: {} }
  if (!stats.isFile()) fail('INVALID_INPUT', `${file} is not a file`, { field: 'file' })
  const size = Number(stats.size)
  return {
    // The file may grow while it is sent, but Content-Length has already been set.
    open: () => createReadStream(path, { end: Math.max(0, size - 1) }),
    size,
    headers: { 'content-length': size, 'x-oc-mtime': secondsText(writableTime(stats.mtimeNs)) },
  }
}

function isBrokenOff(error: unknown): boolean {
  return isErrno(error, 'ECONNRESET')
}

/** Writes into a pipe or a device, which must not be replaced. @throws INVALID_INPUT, NO_SPACE, UNAVAILABLE */
async function copyInto(content: Readable, target: string): Promise<void> {
  try {
    await pipeline(content, createWriteStream(localPath(target), { flags: 'w' }))
  } catch (error) {
    if (isBrokenOff(error))
      fail('UNAVAILABLE', 'the connection broke off; the output is incomplete', {}, { cause: error })
    throw unwritable(target, error, 'INVALID_INPUT')
  }
}

/** Writes to a temporary file first, so that an interrupted download leaves nothing. @throws INVALID_INPUT, NO_SPACE */
async function save(content: Readable, target: string, modified: string | undefined): Promise<void> {
  const temporary = localPath(join(dirname(target), `.${randomBytes(9).toString('base64url')}.fm-tmp`))
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx', flush: true }))
    if (modified !== undefined) await utimes(temporary, modified, modified)
    await rename(temporary, localPath(target))
  } catch (error) {
    await rm(temporary, { force: true })
    if (isBrokenOff(error)) fail('UNAVAILABLE', 'the connection broke off; nothing was saved', {}, { cause: error })
    throw unwritable(target, error, 'INVALID_INPUT')
  }
}

/** In seconds since 1970; as text, because Node takes a negative number for the current time. */
function modifiedIn(date: string | undefined): string | undefined {
  const time = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : String(time / 1000)
}

/** The name that the server proposes, without folders: a malicious server could otherwise choose where the file is written. */
function nameIn(disposition: string | undefined): string {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  const name = basename(encoded === undefined ? '' : decodeURIComponent(encoded))
  if (name === '' || name === '.' || name === '..' || name.includes('\0'))
    fail('INVALID_INPUT', 'the server proposes no usable name; name the file', { field: 'file' })
  return name
}
