import { initialDocument, firstAdministrator } from '../../../src/services/settings/setup.ts'
import { createPasswordHasher } from '../../../src/platform/password-hasher.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createStore } from '../../../src/store/open-stores.ts'
import { runCli, runCliJson, type CliOptions, type CliResult } from './run-cli.ts'
import { tempFolder, type FileTree } from '../temp-folder.ts'

export const ADMIN_PASSWORD = 'a long passphrase'

/** How long a test waits for a daemon to follow a change: the machine may be busy with other tests. */
export const PATIENCE = { timeout: 30_000, interval: 20 }

/** The cheapest hash there is, so that tests do not wait for what password-hasher's own tests prove. */
const CHEAP = { memoryCost: 1024, timeCost: 2, parallelism: 1 }

/** A data folder with an administrator, and the folder it serves. */
export interface TestStore extends AsyncDisposable {
  readonly data: string
  readonly root: string
  /** Runs `filemgr --data <data> …`. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>
  /** The same with --json, parsed. */
  json<T>(args: readonly string[], options?: CliOptions): Promise<T>
}

export async function testStore(files: FileTree = {}): Promise<TestStore> {
  const folder = await tempFolder({ 'files/': '' })
  await folder.fill(Object.fromEntries(Object.entries(files).map(([name, content]) => [`files/${name}`, content])))
  const [data, root] = [folder.at('data'), folder.at('files')]
  const hasher = createPasswordHasher({ cost: CHEAP })
  const { user } = await firstAdministrator({ password: ADMIN_PASSWORD }, { hasher, clock: systemClock })
  await createStore(data, initialDocument({ admin: user, server: { root } }))
  return {
    data,
    root,
    run: async (args, options) => await runCli(['--data', data, ...args], options),
    json: async (args, options) => await runCliJson(['--data', data, ...args], options),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}
