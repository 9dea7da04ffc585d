import type { Check, Finding, Scene } from './check.ts'
import { CHECKS } from './checks.ts'

/** What a check found. */
export interface Examined {
  readonly name: string
  readonly title: string
  readonly state: 'ok' | 'advice' | 'fault' | 'skipped'
  /** Why there was nothing to look at. */
  readonly skipped?: string
  readonly findings: readonly Finding[]
}

/** Runs all checks, one after the other. */
export async function examine(scene: Scene, checks: readonly Check[] = CHECKS): Promise<Examined[]> {
  const examined: Examined[] = []
  for (const { name, title, run } of checks) {
    const result = await run(scene)
    if ('skipped' in result) {
      examined.push({ name, title, state: 'skipped', skipped: result.skipped, findings: [] })
      continue
    }
    const worst = result.some(({ level }) => level === 'fault') ? 'fault' : result.length > 0 ? 'advice' : 'ok'
    examined.push({ name, title, state: worst, findings: result })
  }
  return examined
}
