import { fail } from '../domain/errors.ts'
import type { Acceptance, Scope, Staging, StagedFolder, Trash, WriteMode, Work } from './storage.ts'

/**
 * A scope that refuses each change while `refusal` says so: the last line, below all permissions, so that nothing that forgets to
 * ask can write. Asked again at the moment of effect.
 *
 * @param refusal why nothing may be changed; undefined if it may
 */
export function refusingScope(scope: Scope, refusal: () => string | undefined): Scope {
  const judge = (): void => {
    const why = refusal()
    if (why !== undefined) fail('FORBIDDEN', why, { explained: true })
  }
  const judged = <W extends Pick<Work, 'accept'>>(work: W = {} as W): W => ({
    ...work,
    accept() {
      judge()
      work.accept?.()
    },
  })
  const writing = (mode: WriteMode): WriteMode => ({
    ...mode,
    accept(current) {
      judge()
      mode.accept?.(current)
    },
  })
  /** A function of the scope that changes something. */
  const refusing =
    <A extends unknown[], R>(change: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      judge()
      return await change(...args)
    }

  const trash = (inner: Trash): Trash => ({
    ...inner,
    putAtOnce: refusing(
      async (owner, path, deleted, work?: Acceptance) => await inner.putAtOnce(owner, path, deleted, judged(work)),
    ),
    put: refusing(async (owner, path, deleted, work, run) => await inner.put(owner, path, deleted, judged(work), run)),
    restoreAtOnce: refusing(
      async (owner, id, to, mode, work?: Acceptance) => await inner.restoreAtOnce(owner, id, to, mode, judged(work)),
    ),
    restore: refusing(async (owner, id, to, mode, work) => await inner.restore(owner, id, to, mode, judged(work))),
    remove: refusing(async (owner, id, work) => await inner.remove(owner, id, judged(work))),
    sweep: refusing(inner.sweep),
  })

  const staging = (inner: Staging): Staging => ({
    ...inner,
    create: refusing(async (target, name, mode) => await inner.create(target, name, writing(mode))),
    append: refusing(inner.append),
    ...(inner.direct && { direct: refusing(inner.direct) }),
    cut: refusing(inner.cut),
    commit: refusing(async (target, name, mode) => await inner.commit(target, name, writing(mode))),
    discard: refusing(inner.discard),
  })

  const stagedFolder = (inner: StagedFolder): StagedFolder => ({
    name: inner.name,
    open: inner.open,
    write: refusing(async (path, source, mode) => await inner.write(path, source, writing(mode))),
    makeFolder: refusing(async (path, mode, work) => await inner.makeFolder(path, mode, judged(work))),
    setFolderTime: refusing(inner.setFolderTime),
    place: refusing(async (items, mode, work) => await inner.place(items, mode, judged(work))),
    [Symbol.asyncDispose]: async () => await inner[Symbol.asyncDispose](),
  })

  return {
    ...scope,
    requireWritable: judge,
    get trash() {
      return trash(scope.trash)
    },
    get staging() {
      return staging(scope.staging)
    },
    within: async (path) => refusingScope(await scope.within(path), refusal),
    write: refusing(async (path, source, mode) => await scope.write(path, source, writing(mode))),
    makeFolder: refusing(async (path, mode, work) => await scope.makeFolder(path, mode, judged(work))),
    copy: async (from, to, mode, work) => {
      // Otherwise, only the target changes, which judges for itself.
      const isHere = mode.into === undefined
      if (isHere) judge()
      await scope.copy(from, to, mode, isHere ? judged(work) : work)
    },
    rename: refusing(async (from, to, mode, work) => await scope.rename(from, to, mode, judged(work))),
    move: refusing(async (from, to, mode, work) => await scope.move(from, to, mode, judged(work))),
    remove: refusing(async (path, work) => await scope.remove(path, judged(work))),
    removeFile: refusing(
      async (path, accept) =>
        await scope.removeFile(path, (current) => {
          judge()
          accept(current)
        }),
    ),
    removeEmpty: refusing(
      async (path, accept) =>
        await scope.removeEmpty(path, () => {
          judge()
          accept()
        }),
    ),
    stageFolder: refusing(async (folder, mode, work) => stagedFolder(await scope.stageFolder(folder, mode, work))),
    unstage: refusing(scope.unstage),
  }
}
