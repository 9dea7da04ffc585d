import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type ErrorCode, isFilemgrError } from '../../../src/domain/errors.ts'
import type { Listing } from '../../../src/domain/files/resource.ts'
import { parseSearchQuery } from '../../../src/domain/files/search-query.ts'
import { parseVirtualPath, ROOT } from '../../../src/domain/files/virtual-path.ts'
import type { Visibility } from '../../../src/domain/access/rule-check.ts'
import type { Written } from '../../../src/storage/open-file.ts'
import {
  type ListingView,
  type Scope,
  type Storage,
  storagePathOf,
  type WriteMode,
} from '../../../src/storage/storage.ts'
export const path = parseVirtualPath

export function viewOf(shownPath: string, change: Partial<ListingView> = {}): ListingView {
  return {
    rules: [],
    rulePrefix: ROOT,
    hideDotfiles: false,
    sorting: { by: 'name', asc: false },
    shownPath,
    sniff: true,
    canModify: true,
    ...change,
  }
}

export const NEW: WriteMode = { replace: false, fileMode: 0o640, folderMode: 0o750 }
export const REPLACE: WriteMode = { ...NEW, replace: true }

export async function put(scope: Scope, name: string, content: string | Buffer = '', mode = NEW): Promise<Written> {
  return await scope.write(path(name), Readable.from([Buffer.from(content)]), mode)
}

export async function list(scope: Scope, folder: string, change: Partial<ListingView> = {}): Promise<Listing> {
  const parts = await scope.listing(path(folder), viewOf(folder, change))
  // Copies each part at once, as the next one reuses its memory.
  const copies = await Array.fromAsync(parts, (part) => Buffer.from(part))
  return JSON.parse(Buffer.concat(copies).toString()) as Listing
}

export async function namesIn(scope: Scope, folder: string, change: Partial<ListingView> = {}): Promise<string[]> {
  return (await list(scope, folder, change)).items.map(({ name }) => name)
}

export async function walked(scope: Scope, folder: string, change: Partial<ListingView> = {}): Promise<string[]> {
  const batches = await Array.fromAsync(scope.walk(path(folder), viewOf(folder, change)))
  return batches.flat().map((row) => row.path)
}

/** Paths beneath a folder that match a search text. */
export async function found(
  scope: Scope,
  folder: string,
  text: string,
  visibility: Partial<Visibility> = {},
): Promise<string[]> {
  const view = { ...viewOf('/'), query: parseSearchQuery(text), ...visibility }
  return (await Array.fromAsync(scope.search(path(folder), view))).flat().map((hit) => hit.path)
}

export async function content(scope: Scope, name: string): Promise<string> {
  await using file = await scope.open(path(name))
  return file.size === 0 ? '' : (await buffer(file.stream(0, file.size - 1))).toString()
}

export async function codeOf(work: Promise<unknown>): Promise<ErrorCode | 'no error'> {
  try {
    await work
    return 'no error'
  } catch (error) {
    if (isFilemgrError(error)) return error.code
    throw error
  }
}

/** A body that ends in the middle, as when the sender's connection breaks. */
export function brokenBody(start: string): Readable {
  async function* chunks() {
    yield Buffer.from(start)
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('the connection broke')
  }
  return Readable.from(chunks())
}

export async function bytesOf(scope: Scope, name: string, start: number, end: number): Promise<Buffer> {
  await using file = await scope.open(path(name))
  return await buffer(file.stream(start, end))
}

/** Names in the served folder. */
export async function namesNow(storage: Storage): Promise<string[]> {
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  return await namesIn(scope, '/')
}
