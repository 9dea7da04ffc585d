import {
  accountsCheck,
  groupsCheck,
  maintenanceCheck,
  signInCheck,
  signUpCheck,
  tokensCheck,
  webhooksCheck,
} from './account-checks.ts'
import {
  brandingCheck,
  clockCheck,
  dataFolderCheck,
  startUpValuesCheck,
  storeCheck,
  nodesCheck,
} from './data-checks.ts'
import type { Check, DoctorContext, Finding } from './doctor-context.ts'
import { hiddenFilesCheck, linksCheck, rootCheck, spaceCheck, toolsCheck } from './folder-checks.ts'
import { daemonCheck, portCheck, tlsCheck } from './listening-checks.ts'
import { rootsCheck } from './roots-check.ts'
import { sharedCheck, sharesCheck } from './shared-checks.ts'
import { bodyLimitCheck, proxyHeadersCheck, publicUrlCheck, webSocketCheck } from './proxy-checks.ts'

/** In order of the report: later checks rely on what the first ones check. */
const CHECKS: readonly Check[] = [
  dataFolderCheck,
  storeCheck,
  startUpValuesCheck,
  daemonCheck,
  spaceCheck,
  clockCheck,
  nodesCheck,
  rootCheck,
  rootsCheck,
  linksCheck,
  hiddenFilesCheck,
  portCheck,
  tlsCheck,
  publicUrlCheck,
  proxyHeadersCheck,
  bodyLimitCheck,
  webSocketCheck,
  toolsCheck,
  brandingCheck,
  maintenanceCheck,
  accountsCheck,
  groupsCheck,
  signInCheck,
  signUpCheck,
  sharesCheck,
  sharedCheck,
  webhooksCheck,
  tokensCheck,
]

export interface CheckReport {
  readonly name: string
  readonly title: string
  readonly state: 'ok' | 'advice' | 'fault' | 'skipped'
  /** Why the check does not apply. */
  readonly skipped?: string
  readonly findings: readonly Finding[]
}

/** Runs all checks, one after the other. */
export async function runChecks(context: DoctorContext, checks: readonly Check[] = CHECKS): Promise<CheckReport[]> {
  const reports: CheckReport[] = []
  for (const { name, title, run } of checks) {
    const result = await run(context)
    if ('skipped' in result) {
      reports.push({ name, title, state: 'skipped', skipped: result.skipped, findings: [] })
      continue
    }
    const worst = result.some(({ level }) => level === 'fault') ? 'fault' : result.length > 0 ? 'advice' : 'ok'
    reports.push({ name, title, state: worst, findings: result })
  }
  return reports
}
