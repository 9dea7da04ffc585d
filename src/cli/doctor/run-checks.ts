import { accountsCheck, sharesCheck, signInCheck, signUpCheck } from './account-checks.ts'
import { clockCheck, dataFolderCheck, startUpValuesCheck, storeCheck } from './data-checks.ts'
import type { Check, DoctorContext, Finding } from './doctor-context.ts'
import { hiddenFilesCheck, linksCheck, rootCheck, spaceCheck, toolsCheck } from './folder-checks.ts'
import { portCheck, tlsCheck } from './listening-checks.ts'
import { bodyLimitCheck, proxyHeadersCheck, publicUrlCheck, webSocketCheck } from './proxy-checks.ts'

/** In order: the first ones look at what the others rely on. */
const CHECKS: readonly Check[] = [
  dataFolderCheck,
  storeCheck,
  startUpValuesCheck,
  spaceCheck,
  clockCheck,
  rootCheck,
  linksCheck,
  hiddenFilesCheck,
  portCheck,
  tlsCheck,
  publicUrlCheck,
  proxyHeadersCheck,
  bodyLimitCheck,
  webSocketCheck,
  toolsCheck,
  accountsCheck,
  signInCheck,
  signUpCheck,
  sharesCheck,
]

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
export async function examine(context: DoctorContext, checks: readonly Check[] = CHECKS): Promise<Examined[]> {
  const examined: Examined[] = []
  for (const { name, title, run } of checks) {
    const result = await run(context)
    if ('skipped' in result) {
      examined.push({ name, title, state: 'skipped', skipped: result.skipped, findings: [] })
      continue
    }
    const worst = result.some(({ level }) => level === 'fault') ? 'fault' : result.length > 0 ? 'advice' : 'ok'
    examined.push({ name, title, state: worst, findings: result })
  }
  return examined
}
