import { isBucketUrl } from '../../domain/server/addresses.ts'
import { NO_ROOT } from '../../domain/accounts/place.ts'
import { FILES_ROOT } from '../../domain/server/root.ts'
import { describeLack, remedyOf } from './daemon-account.ts'
import { findingOn } from './folder-checks.ts'
import { advice, type Check, type DoctorContext, fault, type Finding, skip } from './doctor-context.ts'

export const rootsCheck: Check = {
  name: 'roots',
  title: 'Other roots: there, readable, writable, with free space, and known to the accounts in them',
  async run({ options, store: { document }, account }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { roots, users } = document
    const { rootStates } = await import('../../context/root-states.ts')
    const states = await rootStates(document, options)
    const findings: Finding[] = []
    for (const { id, name, location, readOnly, warnAway } of roots) {
      const { problem, free } = states.get(id) ?? {}
      if (problem !== undefined) {
        const fix = `bring it back, or: filemgr roots set "${name}" --warn-away=false`
        if (warnAway) findings.push(fault(problem, fix))
        continue
      }
      if (isBucketUrl(location)) continue
      if (!readOnly) findings.push(...findingOn(location, free))
      const lack =
        (await account.lacks(location, 'read')) ?? (readOnly ? undefined : await account.lacks(location, 'write'))
      if (lack !== undefined) findings.push(fault(describeLack(account, lack), remedyOf(account, lack, location)))
    }
    const known = new Set<string>([FILES_ROOT, NO_ROOT, ...roots.map(({ id }) => id)])
    const lost = users.filter(({ root = FILES_ROOT }) => !known.has(root)).map(({ username }) => username)
    return [
      ...findings,
      ...lost.map((name) =>
        advice(`the root of ${name} was removed`, `filemgr users set "${name}" --root files --scope FOLDER`),
      ),
    ]
  },
}
