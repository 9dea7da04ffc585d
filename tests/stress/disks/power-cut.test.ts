import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { storeWithToken } from '../../helpers/cli/test-store.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { mountImage, mountNewDisk } from '../../helpers/disks/loop-disk.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const canCutPower = process.getuid?.() === 0 && spawnSync('cc', ['--version']).status === 0
/** Too much for the journal of the file system, which would keep it without a sync. */
const BYTES = 'all of it, again and again\n'.repeat(20_000)
const FOLDER = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`deep/${index}`, `${index}\n${BYTES}`]))

/** The system writes nothing to the disk by itself for a minute. */
const RARE_COMMITS = ['commit=60']

/** A disk for the served folder and the data folder, whose power can be cut. */
class CuttableDisk {
  readonly path: string
  readonly #image: (number: number) => string
  readonly #cutter: string
  #cuts = 0

  constructor(at: (name: string) => string) {
    ;[this.path, this.#cutter] = [at('disk'), at('power-cut')]
    this.#image = (number) => at(`disk${number}.img`)
    execFileSync('cc', ['-o', this.#cutter, join(import.meta.dirname, '../../helpers/disks/power-cut.c')])
    mountNewDisk(this.#image(0), this.path, RARE_COMMITS)
  }

  /** Makes everything durable that was there before: it is not what the test is about. */
  sync(): void {
    execFileSync('sync', ['-f', this.path])
  }

  cut(): void {
    execFileSync(this.#cutter, [this.path])
  }

  /**
   * Mounts a copy of what is on the disk. Other programs may still hold the mount in a namespace of their own, and the disk itself
   * would stay without power.
   */
  replace(): void {
    this.unmount()
    const [old, next] = [this.#image(this.#cuts), this.#image(this.#cuts + 1)]
    this.#cuts += 1
    execFileSync('cp', ['--sparse=always', old, next])
    rmSync(old)
    mountImage(next, this.path, RARE_COMMITS)
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path])
  }
}

let disk: CuttableDisk
let store: Awaited<ReturnType<typeof storeWithToken>>
const ending = new AsyncDisposableStack()

beforeAll(async () => {
  if (!canCutPower) return
  const folder = ending.use(await tempFolder())
  disk = new CuttableDisk(folder.at)
  ending.defer(() => disk.unmount())
  vi.stubEnv('TMPDIR', disk.path)
  store = ending.use(await storeWithToken())
  vi.unstubAllEnvs()
})

afterAll(async () => await ending.disposeAsync())

interface User {
  readonly daemon: TestDaemon
  /** @throws unless it is acknowledged. @returns the text of the answer */
  ask(method: string, path: string, init?: { body?: string; headers?: Record<string, string> }): Promise<string>
}

function userOf(daemon: TestDaemon): User {
  const { token } = store
  return {
    daemon,
    async ask(method, path, { body: sent, headers = {} } = {}) {
      const init = { method, headers: { 'X-Auth': token, ...headers }, ...(sent === undefined ? {} : { body: sent }) }
      const answer = await fetch(`${daemon.url}${path}`, init)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text
    },
  }
}

async function fill(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = async (path: string) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const
  return Object.fromEntries(await Promise.all(files.map(read)))
}

const PART = { 'Content-Type': 'application/offset+octet-stream' }

/** What a user does, and what must be there after the power is back. */
const ACKNOWLEDGED: Readonly<
  Record<string, { before?: Record<string, string>; act(user: User): Promise<unknown>; after: Record<string, string> }>
> = {
  'a new file': {
    act: async ({ ask }) => await ask('POST', 'api/resources/new/file', { body: BYTES }),
    after: { 'new/file': BYTES },
  },
  'a saved file': {
    before: { file: 'old' },
    act: async ({ ask }) => await ask('PUT', 'api/resources/file', { body: BYTES }),
    after: { file: BYTES },
  },
  'an upload in parts': {
    async act({ ask }) {
      await ask('POST', 'api/tus/file', { headers: { 'Upload-Length': String(2 * BYTES.length) } })
      for (const offset of [0, BYTES.length])
        await ask('PATCH', 'api/tus/file', { body: BYTES, headers: { ...PART, 'Upload-Offset': String(offset) } })
    },
    after: { file: BYTES + BYTES },
  },
  'a copied folder whose original is deleted': {
    before: FOLDER,
    async act({ ask }) {
      await ask('PATCH', 'api/resources/deep?action=copy&destination=/copy')
      await ask('DELETE', 'api/resources/deep')
    },
    after: Object.fromEntries(Object.entries(FOLDER).map(([name, text]) => [name.replace('deep', 'copy'), text])),
  },
  'a renamed folder': {
    before: FOLDER,
    act: async ({ ask }) => await ask('PATCH', 'api/resources/deep?action=rename&destination=/other'),
    after: Object.fromEntries(Object.entries(FOLDER).map(([name, text]) => [name.replace('deep', 'other'), text])),
  },
  'a file that was restored from the trash': {
    before: { file: BYTES },
    async act({ ask }) {
      await ask('DELETE', 'api/resources/file?trash=true')
      const [item] = JSON.parse(await ask('GET', 'api/trash')) as [{ readonly id: string }]
      await ask('POST', `api/trash/${item.id}`)
    },
    after: { file: BYTES },
  },
}

it.runIf(canCutPower).each(Object.entries(ACKNOWLEDGED))(
  'an acknowledged change survives a power cut: %s (as root, with a C compiler)',
  async (_name, { before = {}, act, after }) => {
    for (const name of await readdir(store.root)) execFileSync('rm', ['-rf', join(store.root, name)])
    await fill(store.root, before)
    {
      await using daemon = await startTestDaemon({ data: store.data, root: store.root })
      const user = userOf(daemon)
      disk.sync()
      await act(user)
      disk.cut()
      await daemon.stop('SIGKILL')
    }
    disk.replace()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    // The API shows the state of the trash, not its files on the disk.
    expect(JSON.parse(await userOf(daemon).ask('GET', 'api/trash'))).toEqual([])
    const files = Object.entries(await filesOf(store.root))
    expect(Object.fromEntries(files.filter(([path]) => !path.startsWith('.filemgr-trash/')))).toEqual(after)
  },
)

it.runIf(canCutPower)(
  'a changed setting survives a power cut, and the daemon starts at once (as root, with a C compiler)',
  async () => {
    const settings = async ({ ask }: User) => JSON.parse(await ask('GET', 'api/settings')) as { createUserDir: boolean }
    {
      await using daemon = await startTestDaemon({ data: store.data, root: store.root })
      const user = userOf(daemon)
      disk.sync()
      const body = JSON.stringify({ ...(await settings(user)), createUserDir: true })
      await user.ask('PUT', 'api/settings', { body, headers: { 'Content-Type': 'application/json' } })
      disk.cut()
      await daemon.stop('SIGKILL')
    }
    disk.replace()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    expect((await settings(userOf(daemon))).createUserDir).toBe(true)
  },
)
