import { runCli, runCliJson, type CliOptions, type CliResult } from './run-cli.ts'
import { tempFolder, type FileTree } from './temp-folder.ts'

export const ADMIN_PASSWORD = 'a long passphrase'

/** A data folder with an administrator, made by `filemgr init`, and the folder it serves. */
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
  const init = ['--data', data, 'init', '--root', root, '--username', 'admin', '--password', ADMIN_PASSWORD]
  const { code, stderr } = await runCli(init)
  if (code !== 0) throw new Error(`filemgr init: exit code ${code}, ${stderr}`)
  return {
    data,
    root,
    run: async (args, options) => await runCli(['--data', data, ...args], options),
    json: async (args, options) => await runCliJson(['--data', data, ...args], options),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}
