import type { RenamedEntry, StepPlan, StepRecord } from '../../../domain/automation/job-record.ts'
import type { Earlier, JobNotes } from '../../automation/jobs/job-notes.ts'
import { type EntryStep, type Position, stepsTo } from './rename-positions.ts'

/**
 * Notes each step of a batch rename before it is done. Entries of a bucket have no identity by which they could be found again:
 * where they are follows from the steps that are over.
 */
export function createNotedSteps(notes: JobNotes, entries: readonly RenamedEntry[]) {
  let plan = notes.earlier?.plan?.number ?? 0
  let [stayed, returned] = [0n, 0n]
  return {
    /** Notes where all entries are, before other steps begin. */
    async begin(goal: StepPlan['goal'], positions: readonly Position[]): Promise<void> {
      const names = new Map(positions.map(({ entry, name }) => [entry, name]))
      plan += 1
      ;[stayed, returned] = [0n, 0n]
      await notes.note({ plan: { number: plan, goal, names: entries.map((entry) => names.get(entry) ?? '') } })
    },
    /** @param returns the step has failed, and its entry is about to get its old name back */
    async before(step: number, returns?: true): Promise<void> {
      const bits = { stayed: stayed.toString(16), returned: returned.toString(16) }
      await notes.noteStep({ plan, step, ...(returns && { returns }), ...bits })
    },
    /** The step has moved nothing. */
    stayed(step: number): void {
      stayed |= bit(step)
    },
    /** Nor will its entry keep a temporary name: it has its old one. */
    returned(step: number): void {
      returned |= bit(step)
    },
  }
}

/** Where an earlier run was stopped. */
export interface Reached {
  /** Where the entries are that are not gone, but for the step in doubt. */
  readonly positions: readonly Position[]
  /** The step that may have begun, or be over. */
  readonly doubt: { readonly at: Position; readonly target: string } | undefined
}

/** Repeats in memory what an earlier run has done, which follows from its plan. */
export function reachedBy(entries: readonly RenamedEntry[], earlier: Earlier): Reached {
  const { plan, step: last } = earlier
  const temporary = new Map(Object.entries(earlier.parked ?? {}))
  const positions = entries.flatMap((entry, index): Position[] => {
    const name = plan === undefined ? entry.from : plan.names[index]
    return name === undefined || name === '' ? [] : [{ entry, name }]
  })
  if (last?.plan !== (plan?.number ?? 0)) return { positions, doubt: undefined }
  const goal = plan?.goal ?? 'to'
  const targetOf = ({ at: { entry }, part }: EntryStep): string =>
    part === 'out' ? (temporary.get(entry.from) ?? entry.temporary ?? entry.from) : entry[goal]
  const owners = new Map(positions.map((at) => [at.name, at]))
  const gone = new Set<Position>()
  const put = (at: Position, name: string): void => {
    if (owners.get(at.name) === at) owners.delete(at.name)
    const other = owners.get(name)
    // Somebody had removed it, since its name was free.
    if (other !== undefined && other !== at) gone.add(other)
    owners.set(name, at)
    at.name = name
  }
  const steps = stepsTo(positions, goal)
  for (const [number, step] of steps.slice(0, last.step).entries()) {
    if (!has(last.stayed, number)) put(step.at, targetOf(step))
    else if (has(last.returned, number)) put(step.at, step.at.entry.from)
  }
  const present = positions.filter((at) => !gone.has(at))
  const next = steps[last.step]
  if (next === undefined || gone.has(next.at)) return { positions: present, doubt: undefined }
  const target = last.returns === true ? next.at.entry.from : targetOf(next)
  return { positions: present, doubt: { at: next.at, target } }
}

function bit(step: number): bigint {
  return 1n << BigInt(step)
}

function has(bits: StepRecord['stayed'], step: number): boolean {
  return (BigInt(`0x${bits}`) & bit(step)) !== 0n
}
