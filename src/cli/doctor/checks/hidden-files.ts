import { formatByteSize } from '../../../domain/units.ts'
import { isFilemgrError } from '../../../domain/errors.ts'
import type { StagedBy, StagedEntry } from '../../../domain/hidden-entry.ts'
import { printable } from '../../../domain/printable.ts'
import { advice, type Check, type Finding, type Scene, skip } from '../check.ts'
const PATIENCE = 60_000
const DAY = 86_400_000
/** Of each kind. */
const MOST_TOLD = 10

const MAKERS: Record<Exclude<StagedBy, 'this run'>, string> = {
  'an earlier run': 'by a daemon of ours that was killed',
  'another installation': 'by another filemgr that serves this folder, or did',
  nobody: 'by a command or a daemon that kept nothing',
}
const FIXES: Record<keyof typeof MAKERS, string> = {
  'an earlier run': 'remove it; the daemon does so itself when it starts after a crash',
  'another installation': 'remove it if no other filemgr serves this folder any more',
  nobody: 'remove it; the daemon does so itself when it starts after a crash',
}

export const hiddenFilesCheck: Check = {
  name: 'hidden-files',
  title: 'Hidden files of ours in the served folder that nobody needs',
  async run({ folder, options, store: { document }, daemon, now }: Scene) {
    if (document === undefined) return skip('the store cannot be read')
    const { findHidden } = await import('../../../context/inspect-store.ts')
    const signal = AbortSignal.timeout(PATIENCE)
    try {
      const search = { folder, options, document, isRunning: daemon !== undefined, signal }
      const { left, orphaned, isComplete } = await findHidden(search)
      // What is younger may be being written.
      const old = left.filter(({ by, changed }) => by === 'an earlier run' || now - changed > DAY)
      const kinds = Object.keys(MAKERS) as (keyof typeof MAKERS)[]
      return [
        ...kinds.flatMap((kind) => leftovers(kind, old)),
        ...told(
          orphaned.map(
            ({ path }) => `${printable(path)} is the trash of a user who is gone or sees another folder now`,
          ),
          'filemgr trash empty --orphaned; move out before what is wanted, each thing lies in <id>/content',
        ),
        ...(isComplete
          ? []
          : [advice('not all was looked at within a minute', 'remove what is named, then look again')]),
      ]
    } catch (error) {
      if (isFilemgrError(error)) return skip(error.message)
      throw error
    }
  },
}

function leftovers(kind: keyof typeof MAKERS, left: readonly StagedEntry[]): Finding[] {
  const problems = left
    .filter(({ by }) => by === kind)
    .map(({ path, isDir, size }) => {
      const what = isDir ? 'a folder' : formatByteSize(size)
      return `${printable(path)} (${what}) was left half-made ${MAKERS[kind]}`
    })
  return told(problems, FIXES[kind])
}

function told(problems: readonly string[], fix: string): Finding[] {
  const more = problems.length - MOST_TOLD
  const shown = problems.slice(0, MOST_TOLD).map((problem) => advice(problem, fix))
  return more > 0 ? [...shown, advice(`and ${more} more of that kind`, fix)] : shown
}
