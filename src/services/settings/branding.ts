import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Actor, OPERATOR, requireAdmin } from '../../domain/accounts/actor.ts'
import {
  type BrandingFile,
  brandingPath,
  brandingPathOf,
  maxSizeOf,
  MAX_PICTURES,
} from '../../domain/settings/branding.ts'
import { type ErrorCode, fail, isFilemgrError } from '../../domain/errors.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import { type Scope, type Storage, storagePathOf } from '../../storage/storage.ts'
import { EVERYTHING } from '../access/file-checks.ts'

export interface BrandingDeps {
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'branding'>
  /** The folder for uploads of administrators; undefined if nothing is saved. */
  readonly folder: () => string | undefined
  /** @throws NOT_FOUND */
  readonly openFolder: (folder: string) => Promise<Storage>
  readonly makeFolder: (folder: string) => Promise<void>
  /** Set if several daemons share the uploaded files. The folder then contains a copy of them. */
  readonly shared?: SharedBranding | undefined
}

/** The uploaded files of all daemons. */
export interface SharedBranding {
  /** Adds a file or replaces it. @param present the files of this daemon, which are shared first if none are yet */
  put(file: BrandingContent, present: () => AsyncIterable<BrandingContent>): Promise<void>
  remove(name: string, present: () => AsyncIterable<BrandingContent>): Promise<void>
}

export interface BrandingContent {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file to send. Dispose of it afterwards. */
export interface OpenBranding extends AsyncDisposable {
  readonly file: OpenFile
}

/** Errors for a missing file, a link that leads out, a folder of that name, or a special file: there is no file to serve. */
const NO_FILE: readonly ErrorCode[] = ['NOT_FOUND', 'FORBIDDEN', 'INVALID_INPUT', 'CONFLICT']

const MODE = { fileMode: 0o600, folderMode: 0o700 }

/**
 * Custom styles and images. They are in the folder of the setting `branding.files`, which belongs to the operator and is never
 * written to, or else in a folder for uploads of administrators. Only names of the expected form are opened, and links that
 * lead out of the folder are not followed.
 */
export function createBranding({ settings, folder, openFolder, makeFolder, shared }: BrandingDeps) {
  const currentFolder = () => (settings().branding.files === '' ? folder() : settings().branding.files)

  /** Undefined if the file is missing or too large to be served. */
  async function open(address: string): Promise<OpenBranding | undefined> {
    const path = brandingPath(address)
    if (path === undefined) return undefined
    return await inFolder(currentFolder(), async (scope, resources) => {
      const file = resources.use(await scope.open(path))
      if (file.size > maxSizeOf(path)) return undefined
      const owned = resources.move()
      return { file, [Symbol.asyncDispose]: async () => await owned.disposeAsync() }
    })
  }

  /** Whether there is such a file, as `open` finds it. */
  async function has(address: string): Promise<boolean> {
    await using found = await open(address)
    return found !== undefined
  }

  /** By name. @throws FORBIDDEN */
  async function list(actor: Actor): Promise<BrandingFile[]> {
    requireAdmin(actor, 'settings.manage')
    const found = await inFolder(currentFolder(), async (scope) => {
      const files: BrandingFile[] = []
      for await (const batch of scope.walk(ROOT, EVERYTHING)) {
        for (const { path, size, modified, isDir } of batch) {
          const name = path.slice(1)
          if (!isDir && brandingPath(name) !== undefined) files.push({ name, size, modified })
        }
      }
      return files
    })
    return found ?? []
  }

  /**
   * Adds a file or replaces it.
   *
   * @param name "custom.css", or that of a picture, with or without "img/"
   * @throws FORBIDDEN; INVALID_INPUT for another name; TOO_LARGE; CONFLICT while the setting names a folder, or for too many
   *         files
   */
  async function put(actor: Actor, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = brandingPathOf(name)
    const own = requireOwnFolder(actor)
    const others = (await list(actor)).filter((file) => `/${file.name}` !== path)
    if (others.length > MAX_PICTURES)
      fail('CONFLICT', `there are ${MAX_PICTURES} branding files; remove one first`, { reason: 'maximum' })
    if (shared !== undefined) {
      await shared.put({ name: path.slice(1), bytes: await buffer(limited(content, path)) }, present)
      return
    }
    await makeFolder(own)
    await using storage = await openFolder(own)
    using scope = await storage.openScope(storagePathOf(ROOT), 'inside')
    let problem: unknown
    const body = Readable.from(limited(content, path)).once('error', (error) => (problem = error))
    try {
      await scope.write(path, body, { ...MODE, replace: true })
    } catch (error) {
      throw problem ?? error
    }
  }

  /** @throws FORBIDDEN, INVALID_INPUT, NOT_FOUND, CONFLICT while the setting names a folder */
  async function remove(actor: Actor, name: string): Promise<void> {
    const path = brandingPathOf(name)
    const removed = await inFolder(requireOwnFolder(actor), async (scope) => {
      if (shared === undefined) await scope.remove(path)
      else if (await scope.exists(path)) await shared.remove(path.slice(1), present)
      else return undefined
      return true
    })
    if (removed === undefined) fail('NOT_FOUND', `there is no branding file ${name}`)
  }

  const present = () => brandingFiles({ list, open })

  function requireOwnFolder(actor: Actor): string {
    requireAdmin(actor, 'settings.manage')
    if (settings().branding.files !== '') {
      const advice = 'put the files there, or empty the setting'
      fail('CONFLICT', `the setting branding.files names a folder of the server: ${advice}`, {
        field: 'branding.files',
        reason: 'setElsewhere',
      })
    }
    return folder() ?? fail('CONFLICT', 'uploaded files are not saved: start filemgr without --ephemeral')
  }

  /** Resolves with undefined if the folder or the file is missing. */
  async function inFolder<T>(
    path: string | undefined,
    work: (scope: Scope, resources: AsyncDisposableStack) => Promise<T>,
  ): Promise<T | undefined> {
    if (path === undefined) return undefined
    await using resources = new AsyncDisposableStack()
    try {
      const storage = resources.use(await openFolder(path))
      return await work(resources.use(await storage.openScope(storagePathOf(ROOT), 'inside')), resources)
    } catch (error) {
      if (isFilemgrError(error) && NO_FILE.includes(error.code)) return undefined
      throw error
    }
  }

  return { open, has, list, put, remove }
}

export type Branding = ReturnType<typeof createBranding>

/** @throws TOO_LARGE, INVALID_INPUT if the content is empty; the old file then stays */
async function* limited(content: AsyncIterable<Uint8Array>, path: VirtualPath): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > maxSizeOf(path)) {
      fail('TOO_LARGE', `${path.slice(1)} is larger than ${maxSizeOf(path) / 1024} KiB: make it smaller`)
    }
    yield part
  }
  if (size === 0) fail('INVALID_INPUT', `${path.slice(1)} is empty`, { field: 'name' })
}

/** The custom styles and images with their content, one by one. */
export async function* brandingFiles({
  list,
  open,
}: Pick<Branding, 'list' | 'open'>): AsyncGenerator<BrandingContent, void, void> {
  for (const { name } of await list(OPERATOR)) {
    await using found = await open(name)
    // Removed meanwhile, or too large to be served.
    if (found === undefined || found.file.size === 0) continue
    yield { name, bytes: await buffer(found.file.stream(0, found.file.size - 1)) }
  }
}
