import { parseJson } from '../../domain/schema/parse-value.ts'
import { parseSteps, PLAN, type Step } from '../placement.ts'
import type { BucketRoot } from './bucket-root.ts'
import { wholeOf } from './client.ts'

export interface Placing {
  readonly root: BucketRoot
  /** Prefix of the keys in the folder that everything is placed in. */
  readonly folder: string
  /** Prefix of the keys in the staged folder. */
  readonly staged: string
}

/** The steps of a placement, and those that were begun: all if that is not known. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly reached?: ReadonlySet<number>
}

export function keyAt(prefix: string, names: readonly string[]): string {
  return prefix + names.join('/')
}

/** The folder is stored too: a staged folder of a bucket does not lie in it. */
export async function writePlan({ root, folder, staged }: Placing, steps: readonly Step[]): Promise<void> {
  const plan = Buffer.from(`${JSON.stringify(folder)}\n${JSON.stringify(steps)}`)
  await root.bucket.put(staged + PLAN, plan, { headers: { ContentType: 'application/json' }, modified: undefined })
}

export async function forgetPlan({ root, staged }: Placing): Promise<void> {
  await root.bucket.remove([staged + PLAN])
}

/** What an earlier run was placing; undefined if nothing. */
export async function readPlan(root: BucketRoot, staged: string): Promise<(Placing & Plan) | undefined> {
  const found = await root.bucket.get(staged + PLAN)
  if (found === undefined) return undefined
  const text = (await wholeOf(found.body)).toString()
  const end = text.indexOf('\n')
  const folder = parseJson(text.slice(0, end))
  const steps = parseSteps(text.slice(end + 1))
  // The attack: a plan of another program leads out of the storage.
  if (typeof folder !== 'string' || !folder.startsWith(root.home) || steps === undefined) return undefined
  return { root, folder, staged, steps }
}
