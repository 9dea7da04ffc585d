import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { Visibility } from '../../../src/domain/access/rule-check.ts'
import type { Scope } from '../../../src/storage/storage.ts'
import { codeOf, content, found, list, NEW, path, put, REPLACE, viewOf, walked } from './view.ts'
const LISTENER = { changed: () => undefined, lost: () => undefined }

/** The error code of each operation on the folder at this path, on a file in it, and on a new name in it. */
export async function codesOfAllOperations(
  scope: Scope,
  folder: string,
  file: string,
  free: string,
): Promise<Record<string, ErrorCode | 'no error'>> {
  const [at, inside, fresh] = [path(folder), path(`${folder}/${file}`), path(`${folder}/new`)]
  const target = path(free)
  const operations: Record<string, () => Promise<unknown>> = {
    open: async () => await content(scope, inside),
    stat: async () => await scope.stat(at, viewOf(at)),
    'stat of a file': async () => await scope.stat(inside, viewOf(inside)),
    listing: async () => await list(scope, at),
    walk: async () => await walked(scope, at),
    exists: async () => await scope.exists(inside),
    kindOf: async () => await scope.kindOf(inside),
    identify: async () => await scope.identify(inside),
    checksum: async () => await scope.checksum(inside, 'md5'),
    usage: async () => await scope.usage(at),
    watch: async () => (await scope.watch(at, LISTENER))[Symbol.dispose](),
    within: async () => (await scope.within(at))[Symbol.dispose](),
    write: async () => await put(scope, fresh),
    replace: async () => await put(scope, inside, 'forged', REPLACE),
    makeFolder: async () => await scope.makeFolder(fresh, 0o755),
    'makeFolder further down': async () => await scope.makeFolder(path(`${folder}/a/b`), 0o755),
    'copy from': async () => await scope.copy(inside, target, NEW),
    'copy the folder': async () => await scope.copy(at, target, NEW),
    'copy to': async () => await scope.copy(path('/free.txt'), fresh, NEW),
    'copy over': async () => await scope.copy(path('/free.txt'), inside, REPLACE),
    'rename from': async () => await scope.rename(inside, target, NEW),
    'rename to': async () => await scope.rename(path('/free.txt'), fresh, NEW),
    'move over': async () => await scope.move(path('/free.txt'), inside, REPLACE),
    remove: async () => await scope.remove(inside),
    trash: async () => await scope.trash.put('1', inside, 0),
    staging: async () => await scope.staging.create(fresh, scope.staging.newName(), { ...NEW, length: 1 }),
  }
  const answers: Record<string, ErrorCode | 'no error'> = {}
  for (const [name, run] of Object.entries(operations)) answers[name] = await codeOf(run())
  return answers
}

/** All names and contents that listings, walks, searches and archives of the root show. */
export async function allThatIsShown(
  scope: Scope,
  text: string,
  visibility: Partial<Visibility> = {},
): Promise<string> {
  const view = { ...viewOf('/'), ...visibility }
  const selection = { format: 'tar', base: path('/'), items: [path('/')] } as const
  const archive = await Array.fromAsync((await scope.archive(selection, view)).parts(), (part) => Buffer.from(part))
  const parts = [
    JSON.stringify(await list(scope, '/', visibility)),
    ...(await walked(scope, '/', visibility)),
    ...(await found(scope, '/', text, visibility)),
    Buffer.concat(archive).toString('latin1'),
  ]
  return parts.join('\n')
}

export async function archiveOf(
  scope: Scope,
  items: readonly string[],
  visibility: Partial<Visibility> = {},
): Promise<string> {
  const selection = { format: 'tar', base: path('/'), items: items.map(path) } as const
  const { parts } = await scope.archive(selection, { ...viewOf('/'), ...visibility })
  return Buffer.concat(await Array.fromAsync(parts(), (part) => Buffer.from(part))).toString('latin1')
}
