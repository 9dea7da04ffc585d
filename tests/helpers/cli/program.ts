import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../../..')

let built: boolean | undefined

/** The command line for `filemgr`: the build if it is newer than the source, otherwise the source. */
export function programLine(): [program: string, ...args: string[]] {
  built ??= isBuilt()
  if (built) return [join(repository, 'bin/filemgr')]
  return [process.execPath, '--disable-warning=ExperimentalWarning', join(repository, 'src/cli/main.ts')]
}

/** Whether `dist` was built since the last change of `src`. */
export function isBuilt(): boolean {
  const stamp = statSync(join(repository, 'dist/.built-server'), { throwIfNoEntry: false })
  if (stamp === undefined) return false
  const source = join(repository, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.every((name) => statSync(join(source, name)).mtimeMs <= stamp.mtimeMs)
}
