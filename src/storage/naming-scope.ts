import { FilemgrError, isFilemgrError } from '../domain/errors.ts'
import { diskStalled, isUnnamedStall } from '../platform/limits/disk-wait.ts'
import type { OpenFile } from './open-file.ts'
import type { Scope } from './storage.ts'

/**
 * A scope whose failures say which disk or bucket is away: who sees several places must know which one to look after.
 *
 * @param called such as `the root "Photos"`; asked when something fails
 */
export function namingScope(scope: Scope, called: () => string): Scope {
  const named = (error: unknown) => namedFailure(error, called())
  const own = naming(scope, named)
  return {
    ...own,
    get trash() {
      return naming(scope.trash, named)
    },
    get staging() {
      return naming(scope.staging, named)
    },
    within: async (path) => namingScope(await own.within(path), called),
    open: async (path) => namingFile(await own.open(path), named),
    listing: async (...asked) => eachNamed(await own.listing(...asked), named),
    archive: async (...asked) => {
      const content = await own.archive(...asked)
      return naming(content, named)
    },
    stageFolder: async (...asked) => {
      const folder = await own.stageFolder(...asked)
      const close = async () => await folder[Symbol.asyncDispose]()
      return { ...naming(folder, named), [Symbol.asyncDispose]: close }
    },
    // With another scope, nobody knows which of the two failed, except for the failures that it has named.
    copy: async (from, to, mode, work) => await (mode.into ? scope : own).copy(from, to, mode, work),
    rename: async (from, to, mode, work) => await (mode.into ? scope : own).rename(from, to, mode, work),
    move: async (from, to, mode, work) => await (mode.into ? scope : own).move(from, to, mode, work),
  }
}

/** The failure of something that messages call so; the error itself if it says already what has failed, or is another one. */
export function namedFailure(error: unknown, called: string): unknown {
  if (isUnnamedStall(error)) return diskStalled(`the disk of ${called}`, { cause: error })
  if (!isFilemgrError(error, 'UNAVAILABLE') || error.message.startsWith(called)) return error
  return new FilemgrError('UNAVAILABLE', `${called} is away: ${error.message}`, error.details, { cause: error })
}

type Named = (error: unknown) => unknown

/** The same with all its functions; what they return at once, other than parts that follow, cannot fail by a disk. */
function naming<T extends object>(part: T, named: Named): T {
  const functions = Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'function' ? [[key, namingCall(value as Call, named)] as const] : [],
  )
  return { ...part, ...Object.fromEntries(functions) }
}

type Call = (...args: readonly unknown[]) => unknown

function namingCall(call: Call, named: Named): Call {
  return (...args) => {
    const result = call(...args)
    if (result instanceof Promise)
      return result.catch((error: unknown) => {
        throw named(error)
      })
    return isParts(result) ? eachNamed(result, named) : result
  }
}

function isParts(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result
}

async function* eachNamed<T>(parts: AsyncIterable<T>, named: Named): AsyncGenerator<T, void, void> {
  try {
    yield* parts
  } catch (error) {
    throw named(error)
  }
}

/** Its content and not its methods: an open file is an object with state. */
function namingFile(file: OpenFile, named: Named): OpenFile {
  const { name, size, modified, inode, descriptor, changed, direct } = file
  const { head, small, send } = naming(
    {
      head: async (length: number) => await file.head(length),
      small: async () => await file.small(),
      send: async (...asked: Parameters<OpenFile['send']>) => await file.send(...asked),
    },
    named,
  )
  return {
    name,
    size,
    modified,
    inode,
    descriptor,
    changed,
    ...(direct && { direct }),
    stream: (start, end) => file.stream(start, end),
    head,
    small,
    send,
    [Symbol.asyncDispose]: async () => await file[Symbol.asyncDispose](),
  }
}
