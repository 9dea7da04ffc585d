import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiToken, TOKEN_PERMISSIONS } from '../../../src/domain/accounts/api-token.ts'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import type { TokenId, UserId } from '../../../src/domain/ids.ts'
import type { ServerOptions } from '../../../src/domain/server/server-options.ts'
import { initialDocument, firstAdministrator } from '../../../src/services/server/setup.ts'
import { newApiToken } from '../../../src/platform/security/api-token-text.ts'
import { createPasswordHasher } from '../../../src/platform/security/password-hasher.ts'
import { systemRandom } from '../../../src/platform/security/random.ts'
import { digestOf } from '../../../src/platform/security/tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createStore } from '../../../src/store/open-stores.ts'
import { runCli, type CliOptions, type CliResult } from './run-cli.ts'
import { runHere, runHereJson } from './run-here.ts'
import { tempFolder, type FileTree } from '../temp-folder.ts'

export const ADMIN_PASSWORD = 'a long passphrase'

/** The cheapest hash possible. The hasher's own tests cover the real cost. */
const CHEAP = { memoryCost: 1024, timeCost: 2, parallelism: 1 }

const hasher = createPasswordHasher({ cost: CHEAP })

/** A data folder with an administrator, and its served folder. */
export interface TestStore extends AsyncDisposable {
  /** "data" in the test's folder. */
  readonly data: string
  /** "files" in the test's folder. */
  readonly root: string
  /** A path in the test's folder, outside the served folder. */
  at(name: string): string
  /** The saved bytes. */
  saved(): Promise<string>
  /** Runs `filemgr --data <data> …` in the process of the tests. */
  run: typeof runHere
  /** The same with --json: the parsed output. @throws if it fails */
  json: typeof runHereJson
  /** Runs `filemgr --data <data> …` as a process. */
  runProcess(args: readonly string[], options?: CliOptions): Promise<CliResult>
}

/**
 * @param server saved server options besides its root
 * @param tokens API tokens of the administrator
 */
export async function testStore(
  files: FileTree = {},
  server: Partial<ServerOptions> = {},
  tokens: readonly ApiToken[] = [],
): Promise<TestStore> {
  const folder = await tempFolder({ 'files/': '' })
  await folder.fill(Object.fromEntries(Object.entries(files).map(([name, content]) => [`files/${name}`, content])))
  const [data, root] = [folder.at('data'), folder.at('files')]
  // Pass a hash: a password would be looked up among the common passwords, which take longer to load than everything else.
  const passwordHash = await hasher.hash(ADMIN_PASSWORD)
  const { user } = await firstAdministrator({ passwordHash }, { hasher, clock: systemClock })
  await createStore(data, { ...initialDocument({ admin: user, server: { ...server, root } }), tokens: [...tokens] })
  return {
    data,
    root,
    at: folder.at,
    saved: async () => await readFile(join(data, 'store.json'), 'utf8'),
    run: async (args, options) => await runHere(['--data', data, ...args], options),
    json: async (args, options) => await runHereJson(['--data', data, ...args], options),
    runProcess: async (args, options) => await runCli(['--data', data, ...args], options),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}

/**
 * Like `testStore`, with an API token of the administrator for X-Auth. A first sign-in instead would renew the hash of the
 * password at its full cost, which takes as long as three commands.
 */
export async function storeWithToken(
  files: FileTree = {},
  server: Partial<ServerOptions> = {},
): Promise<TestStore & { readonly token: string }> {
  const token = newApiToken(systemRandom)
  const [id, userId] = ['token-of-tests' as TokenId, 1 as UserId]
  const use = { permissions: [...TOKEN_PERMISSIONS], path: ROOT, created: 0, expires: 0, lastUsed: 0 }
  const store = await testStore(files, server, [{ id, name: 'tests', userId, hash: digestOf(token), ...use }])
  return { ...store, token }
}
