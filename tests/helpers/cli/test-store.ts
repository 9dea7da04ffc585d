import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerOptions } from '../../../src/domain/settings/server-options.ts'
import { initialDocument, firstAdministrator } from '../../../src/services/settings/setup.ts'
import { createPasswordHasher } from '../../../src/platform/security/password-hasher.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createStore } from '../../../src/store/open-stores.ts'
import { runCli, runCliJson, type CliOptions, type CliResult } from './run-cli.ts'
import { tempFolder, type FileTree } from '../temp-folder.ts'

export const ADMIN_PASSWORD = 'a long passphrase'

/** How long a test waits for a daemon to follow a change: the machine may be busy with other tests. */
export const PATIENCE = { timeout: 30_000, interval: 20 }

/** The cheapest hash there is, so that tests do not wait for what password-hasher's own tests prove. */
const CHEAP = { memoryCost: 1024, timeCost: 2, parallelism: 1 }

const hasher = createPasswordHasher({ cost: CHEAP })

/** A data folder with an administrator, and the folder it serves. */
export interface TestStore extends AsyncDisposable {
  /** "data" in the folder of the test. */
  readonly data: string
  /** "files" in the folder of the test. */
  readonly root: string
  /** The path of a name in the folder of the test, which is not served. */
  at(name: string): string
  /** What is saved, byte for byte. */
  saved(): Promise<string>
  /** Runs `filemgr --data <data> …`. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>
  /** The same with --json, parsed. */
  json<T>(args: readonly string[], options?: CliOptions): Promise<T>
}

/** @param server start-up values that it keeps, besides its root */
export async function testStore(files: FileTree = {}, server: Partial<ServerOptions> = {}): Promise<TestStore> {
  const folder = await tempFolder({ 'files/': '' })
  await folder.fill(Object.fromEntries(Object.entries(files).map(([name, content]) => [`files/${name}`, content])))
  const [data, root] = [folder.at('data'), folder.at('files')]
  // A hash is not looked up among the common passwords: loading these takes longer than all the rest.
  const passwordHash = await hasher.hash(ADMIN_PASSWORD)
  const { user } = await firstAdministrator({ passwordHash }, { hasher, clock: systemClock })
  await createStore(data, initialDocument({ admin: user, server: { ...server, root } }))
  return {
    ...{ data, root, at: folder.at },
    saved: async () => await readFile(join(data, 'store.json'), 'utf8'),
    run: async (args, options) => await runCli(['--data', data, ...args], options),
    json: async (args, options) => await runCliJson(['--data', data, ...args], options),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}
