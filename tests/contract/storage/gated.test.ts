import { AsyncLocalStorage } from 'node:async_hooks'
import * as fs from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DeviceGates } from '../../../src/storage/local/system/device-gates.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import type { OpenFile } from '../../../src/storage/open-file.ts'
import { storagePathOf, type Scope } from '../../../src/storage/storage.ts'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { LocalWorld } from './local-world.ts'
import { codeOf, content, list, NEW, path, put, REPLACE, viewOf } from './view.ts'

/** The system calls to one disk. */
const disk = vi.hoisted(() => ({
  path: '/nothing is watched',
  isInGate: (): boolean => false,
  /** The calls that passed no gate. */
  ungated: [] as string[],
  /** Whether the disk answers to such a call. */
  answers: (_name: string): boolean => true,
  timeout: 10_000,
  thaw: Promise.withResolvers<undefined>(),
  waiting: 0,
  mostWaiting: 0,
  stall(answers: (name: string) => boolean): void {
    Object.assign(disk, { answers, timeout: 2000 })
  },
}))

/** The unwatched original: with the watched one `isOnDisk` would call itself for ever. */
const { readlinkSync } = vi.hoisted(() => process.getBuiltinModule('node:fs'))

/** As many threads as the daemon has. */
vi.hoisted(() => (process.env['UV_THREADPOOL_SIZE'] = '16'))
vi.mock('node:fs', async (original) => watched(await original<object>()))
vi.mock('node:fs/promises', async (original) => watched(await original<object>()))
vi.mock('@napi-rs/xattr', async (original) => watched(await original<object>()))
vi.mock('../../../src/platform/limits/disk-wait.ts', async (original) => ({
  ...(await original<object>()),
  get DISK_TIMEOUT() {
    return disk.timeout
  },
}))

/** The calls that may pass no gate: direct-calls.ts says why. */
const HARMLESS = ['closeSync', 'fstatSync', 'readlinkSync', 'watch']

type Call = (...input: unknown[]) => unknown

function watched(module: object): object {
  const watch = ([name, value]: [string, unknown]) => {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) return [name, value] as const
    const call = value as Call
    const isAtOnce = name.endsWith('Sync') || name === 'watch'
    const wrapped: Call = (...input) => {
      if (!input.slice(0, 2).some(isOnDisk)) return call(...input)
      if (!HARMLESS.includes(name) && !disk.isInGate()) disk.ungated.push(name)
      return isAtOnce || disk.answers(name) ? call(...input) : whenItAnswers(call, input)
    }
    // promisify() reads these properties.
    const { length: _, name: __, prototype: ___, ...own } = Object.getOwnPropertyDescriptors(call)
    return [name, Object.defineProperties(wrapped, own)] as const
  }
  return Object.fromEntries(Object.entries(module).map(watch))
}

/** Like a disk that does not answer: the call keeps its thread until `disk.thaw`. */
function whenItAnswers(call: Call, input: unknown[]): unknown {
  disk.waiting += 1
  disk.mostWaiting = Math.max(disk.mostWaiting, disk.waiting)
  const answer = disk.thaw.promise.then(() => {
    disk.waiting -= 1
    return call(...input)
  })
  return typeof input.at(-1) === 'function' ? undefined : answer
}

function isOnDisk(target: unknown): boolean {
  const path = typeof target === 'number' ? `/proc/self/fd/${target}` : String(target)
  const [, fd, rest = ''] = /^\/proc\/self\/fd\/(\d+)(.*)/.exec(path) ?? []
  try {
    const real = fd === undefined ? path : `${readlinkSync(`/proc/self/fd/${fd}`)}${rest}`
    return real.startsWith(disk.path)
  } catch {
    return false
  }
}

const LISTENER = { changed: () => undefined, lost: () => undefined }
const FOLDERS = { ...NEW, folderMode: 0o750 }

/** Every operation by which the storage calls the system. Each finds the folder as `Watched.open` leaves it. */
const OPERATIONS: Readonly<Record<string, (scope: Scope) => Promise<unknown>>> = {
  exists: async (scope) => await scope.exists(path('/file')),
  stat: async (scope) => await scope.stat(path('/link'), viewOf('/link')),
  listing: async (scope) => await list(scope, '/folder'),
  walk: async (scope) => await Array.fromAsync(scope.walk(path('/folder'), viewOf('/folder'))),
  whereIs: async (scope) => await scope.whereIs(path('/folder/new/newer')),
  identify: async (scope) => await scope.identify(path('/link')),
  isSame: async (scope) => await scope.isSame(path('/file'), path('/hard')),
  content: async (scope) => await content(scope, '/file'),
  within: async (scope) => (await scope.within(path('/folder')))[Symbol.dispose](),
  usage: async (scope) => await scope.usage(path('/')),
  checksum: async (scope) => await scope.checksum(path('/file'), 'md5'),
  watch: async (scope) => (await scope.watch(path('/folder'), LISTENER))[Symbol.dispose](),
  write: async (scope) => await put(scope, '/deep/er/new'),
  replace: async (scope) => await put(scope, '/link', 'new', REPLACE),
  'write through a link to nothing': async (scope) => await put(scope, '/dangling', 'new', REPLACE),
  makeFolder: async (scope) => await scope.makeFolder(path('/a/b'), 0o750),
  copy: async (scope) => await scope.copy(path('/folder'), path('/copy'), FOLDERS),
  merge: async (scope) => await scope.copy(path('/folder'), path('/other'), { ...FOLDERS, replace: true }),
  rename: async (scope) => await scope.rename(path('/dangling'), path('/renamed'), FOLDERS),
  move: async (scope) => await scope.move(path('/folder'), path('/other'), { ...FOLDERS, replace: true }),
  remove: async (scope) => await scope.remove(path('/folder')),
  trash: async ({ trash }) => {
    const entry = await trash.putAtOnce('1', path('/file'), 1)
    await trash.list('1')
    await trash.remove('1', entry?.id ?? '')
    await trash.sweep(3)
  },
  restore: async ({ trash }) => {
    const { id } = await trash.put('1', path('/link'), 1)
    await trash.restore('1', id, path('/restored'), { folderMode: 0o750 })
  },
  staging: async ({ staging }) => {
    const [target, name, mode] = [path('/file'), staging.newName(), { ...REPLACE, length: 2 }]
    await staging.create(target, name, mode)
    await staging.append(target, name, Readable.from(['ab']), { offset: 0, length: 2 })
    await staging.cut(target, name, 1)
    await staging.append(target, name, Readable.from(['b']), { offset: 1, length: 2 })
    await staging.commit(target, name, mode)
    await staging.discard(target, name)
  },
}

/** The calls that a frozen disk does not answer. The storage waits longer for a sync. */
const WRITES = ['mkdir', 'open', 'write', 'writev', 'rename', 'link', 'unlink', 'rmdir', 'symlink', 'ftruncate']

class Watched implements AsyncDisposable {
  readonly scope: Scope
  readonly #held: AsyncDisposableStack

  private constructor(scope: Scope, held: AsyncDisposableStack) {
    this.scope = scope
    this.#held = held
  }

  static async open(): Promise<Watched> {
    const held = new AsyncDisposableStack()
    const { path: root } = held.use(folderOnOtherDisk())
    for (const folder of ['folder/sub', 'other/sub']) fs.mkdirSync(`${root}/${folder}`, { recursive: true })
    for (const name of ['file', 'folder/a', 'folder/sub/b', 'other/a']) fs.writeFileSync(`${root}/${name}`, 'bytes')
    fs.linkSync(`${root}/file`, `${root}/hard`)
    fs.symlinkSync('file', `${root}/link`)
    fs.symlinkSync('other/none', `${root}/dangling`)
    fs.symlinkSync('../file', `${root}/folder/link`)
    disk.path = root
    const storage = held.use(await openLocalStorage(root))
    const scope = held.use(await storage.openScope(storagePathOf(path('/')), 'inside'))
    return new Watched(scope, held.move())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Object.assign(disk, { answers: () => true, timeout: 10_000 })
    disk.thaw.resolve(undefined)
    await expect.poll(() => disk.waiting).toBe(0)
    disk.path = '/nothing is watched'
    await this.#held[Symbol.asyncDispose]()
  }
}

beforeEach(() => {
  const gated = new AsyncLocalStorage<true>()
  const { run } = DeviceGates.prototype
  vi.spyOn(DeviceGates.prototype, 'run').mockImplementation(async function (this: DeviceGates, device, kind, work) {
    return await run.call(this, device, kind, async () => await gated.run(true, work))
  })
  disk.isInGate = () => gated.getStore() === true
})

afterEach(() => {
  Object.assign(disk, { ungated: [], thaw: Promise.withResolvers(), mostWaiting: 0 })
})

async function run(scope: Scope, name: string): Promise<void> {
  await OPERATIONS[name]?.(scope)
}

it.each(Object.keys(OPERATIONS))('%s: each call to a disk passes the gate of the disk', async (name) => {
  await using watched = await Watched.open()
  await run(watched.scope, name)
  expect(disk.ungated).toEqual([])
})

/** Runs all operations at once, each twice, and returns those that end with another code than BUSY. */
async function endsOtherThanBusy(scope: Scope, names: readonly string[]): Promise<Record<string, string>> {
  const ends = [...names, ...names].map(async (name) => [name, await codeOf(run(scope, name))] as const)
  const others = (await Promise.all(ends)).filter(([, code]) => code !== 'BUSY')
  return Object.fromEntries(others)
}

it('all operations on a disk that does not answer end, and those on other disks continue', async () => {
  await using watched = await Watched.open()
  await using good = await LocalWorld.open()
  await put(good.scope, '/file', 'bytes')
  disk.stall(() => false)
  const ends = endsOtherThanBusy(watched.scope, Object.keys(OPERATIONS))
  await expect.poll(() => disk.waiting).toBeGreaterThan(0)
  expect(await content(good.scope, '/file')).toBe('bytes')
  await put(good.scope, '/new')
  expect(await ends).toEqual({})
  expect(disk.mostWaiting).toBeLessThanOrEqual(8)
})

it('all writes to a disk that answers only reads end', async () => {
  await using watched = await Watched.open()
  disk.stall((call) => !WRITES.includes(call))
  const writing = ['write', 'replace', 'makeFolder', 'copy', 'merge', 'rename', 'move', 'remove', 'trash', 'staging']
  expect(await endsOtherThanBusy(watched.scope, writing)).toEqual({})
})

it('a write that waits for another writer of the same name ends, too', async () => {
  await using watched = await Watched.open()
  disk.stall((call) => call !== 'link')
  const write = async () => await codeOf(put(watched.scope, '/new'))
  expect(await Promise.all([write(), write(), write()])).toEqual(['BUSY', 'BUSY', 'BUSY'])
})

it('all reads of an open file on a disk that does not answer end, too', async () => {
  await using watched = await Watched.open()
  const read = async (use: (file: OpenFile) => Promise<unknown>) => {
    await using file = await watched.scope.open(path('/file'))
    await opened()
    await use(file)
  }
  let open = 0
  const all = Promise.withResolvers<undefined>()
  const opened = async () => {
    open += 1
    if (open === 4) all.resolve(undefined)
    await all.promise
    disk.stall(() => false)
  }
  const ends = [
    read(async (file) => await file.head(5)),
    read(async (file) => await file.small()),
    read(async (file) => await buffer(file.stream(0, 4))),
    read(async (file) => await file.send(new PassThrough(), 0, 4)),
  ].map(codeOf)
  expect(await Promise.all(ends)).toEqual(['BUSY', 'BUSY', 'BUSY', 'BUSY'])
})
