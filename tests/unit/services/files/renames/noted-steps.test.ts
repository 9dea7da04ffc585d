import { expect, it } from 'vitest'
import type { JobProgress, RenamedEntry, StepRecord } from '../../../../../src/domain/automation/job-record.ts'
import { createNotedSteps, reachedBy } from '../../../../../src/services/files/renames/noted-steps.ts'
import { type Position, stepsTo } from '../../../../../src/services/files/renames/rename-positions.ts'
import type { JobNotes } from '../../../../../src/services/automation/jobs/job-notes.ts'

/** "a" to "b" to "c" to "a", by way of a temporary name; then "x" to "y". */
const ENTRIES: readonly RenamedEntry[] = [
  { from: 'a', to: 'b', temporary: 'a(1)' },
  { from: 'b', to: 'c' },
  { from: 'c', to: 'a' },
  { from: 'x', to: 'y' },
]
const OUT_C_B_IN = ['a', 'c', 'b', 'a', 'x']

/** What a run writes down, and where another one thinks that the entries are. */
function run(goal: 'to' | 'from' = 'to') {
  let progress: JobProgress = {}
  let step: StepRecord | undefined
  const notes = {
    note: async (more: JobProgress) => void (progress = { ...progress, ...more }),
    noteStep: async (more: Omit<StepRecord, 'id'>) => void (step = { id: 'job', ...more }),
  } as unknown as JobNotes
  const positions = ENTRIES.map((entry): Position => ({ entry, name: entry.from }))
  const noted = createNotedSteps(notes, ENTRIES)
  const found = () => {
    const { positions: present, doubt } = reachedBy(ENTRIES, { ...progress, since: 0, step })
    const names = Object.fromEntries(present.map(({ entry, name }) => [entry.from, name]))
    return { names, doubt: doubt && [doubt.at.name, doubt.target] }
  }
  return { noted, positions, found, steps: stepsTo(positions, goal) }
}

it('knows where all entries are from the number of the step that may have begun', async () => {
  const { noted, found, steps } = run()
  expect(steps.map(({ at }) => at.entry.from)).toEqual(OUT_C_B_IN)
  expect(found()).toEqual({ names: { a: 'a', b: 'b', c: 'c', x: 'x' }, doubt: undefined })
  await noted.before(0)
  expect(found()).toEqual({ names: { a: 'a', b: 'b', c: 'c', x: 'x' }, doubt: ['a', 'a(1)'] })
  await noted.before(2)
  expect(found()).toEqual({ names: { a: 'a(1)', b: 'b', c: 'a', x: 'x' }, doubt: ['b', 'c'] })
  await noted.before(4)
  expect(found()).toEqual({ names: { a: 'b', b: 'c', c: 'a', x: 'x' }, doubt: ['x', 'y'] })
})

it('knows which entries have failed, and which of these have got their old names back', async () => {
  const { noted, found } = run()
  noted.stayed(1)
  noted.stayed(2)
  await noted.before(3)
  expect(found()).toEqual({ names: { a: 'a(1)', b: 'b', c: 'c', x: 'x' }, doubt: ['a(1)', 'b'] })
  noted.stayed(3)
  await noted.before(3, true)
  expect(found().doubt).toEqual(['a(1)', 'a'])
  noted.returned(3)
  await noted.before(4)
  expect(found().names).toEqual({ a: 'a', b: 'b', c: 'c', x: 'x' })
})

it('drops an entry whose name another one has got, since somebody has removed it', async () => {
  const { noted, found } = run()
  noted.stayed(0)
  noted.stayed(3)
  await noted.before(4)
  expect(found().names).toEqual({ b: 'c', c: 'a', x: 'x' })
})

it('begins another plan from where the entries are, of which no step of the one before has a meaning', async () => {
  const { noted, found, positions } = run()
  await noted.before(4)
  const moved = positions.map((at): Position => ({ ...at, name: at.entry.to }))
  await noted.begin(
    'from',
    moved.filter(({ entry }) => entry.from !== 'x'),
  )
  expect(found()).toEqual({ names: { a: 'b', b: 'c', c: 'a' }, doubt: undefined })
  await noted.before(1)
  expect(found().doubt).toEqual(['c', 'b'])
})
