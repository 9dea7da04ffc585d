import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { EntryIdentity } from '../domain/files/entry-identity.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { STOPPING } from '../platform/limits/job-queue.ts'

/** Names in a staged folder: what was unpacked, what is being replaced, and the plan, which exists until all is in place. */
export const NEW = 'new'
export const KEPT = 'kept'
export const PLAN = 'plan.json'

const Names = Type.Array(Type.String(), { minItems: 1 })

/** One change that puts an entry in place. */
const Step = Type.Object({
  /** The names that lead to it among what was unpacked, and in the folder that everything is placed in. */
  from: Names,
  to: Names,
  entry: EntryIdentity,
  isFolder: Type.Boolean(),
  /** Something was there when it was judged. A file or link is kept under the number of the step. */
  replaces: Type.Boolean(),
  /** Of a file, in bytes and nanoseconds: a change in place leaves the identity as it is. */
  size: Type.String(),
  modified: Type.String(),
})
export type Step = Static<typeof Step>

const Steps = Type.Array(Step)

/** Undefined for only a part of a plan: nothing has been placed then. */
export function parseSteps(text: string): readonly Step[] | undefined {
  const steps = parseJson(text)
  return Value.Check(Steps, steps) ? steps : undefined
}

interface Placement {
  /** Carries out all steps of a plan that is stored by now, and forgets it. */
  carryOut(): Promise<void>
  /** Takes back what was carried out, and forgets the plan. */
  undo(): Promise<void>
  readonly signal?: AbortSignal | undefined
  /** The next start finds the plan and undoes it. */
  readonly isResumable: boolean
}

/** Puts everything in place or, if that fails, nothing. */
export async function placeOrUndo({ carryOut, undo, signal, isResumable }: Placement): Promise<void> {
  try {
    await carryOut()
  } catch (error) {
    // Undoing could take longer than a daemon may take to end.
    if (!(isResumable && signal?.reason === STOPPING)) await undo()
    throw error
  }
}
