import { type Group, NO_GROUP_PERMISSIONS, requireGroupName } from '../../domain/accounts/group.ts'
import type { User } from '../../domain/accounts/user.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import type { GroupId } from '../../domain/ids.ts'
import { foldName } from '../../domain/text/fold.ts'
import type { Random } from '../../platform/security/random.ts'
import type { ReportWriter } from './import-report.ts'
import type { OldInstallation } from './old-record.ts'

interface GroupsInput {
  readonly old: Pick<OldInstallation, 'groups'>
  readonly existing: readonly Group[]
  /** The imported accounts, with their ids here. */
  readonly users: readonly User[]
  readonly random: Random
  readonly report: ReportWriter
}

/** The groups there are, and those of the old installation: their members, who keep their own rules and permissions. */
export function importGroups({ old, existing, users, random, report }: GroupsInput): Group[] {
  const idOf = new Map(users.map(({ id, username }) => [username, id]))
  const groups = [...existing]
  for (const { name: given, members: names } of old.groups ?? []) {
    const name = usableName(given)
    const members = names.flatMap((username) => idOf.get(username) ?? [])
    const at = groups.findIndex((group) => foldName(group.name) === foldName(name))
    const known = groups[at]
    if (known === undefined) groups.push({ ...EMPTY, id: random.token(9) as GroupId, name, members })
    else groups[at] = { ...known, members: [...new Set([...known.members, ...members])] }
    const from = name === given ? '' : `; in the old installation it is called ${given}`
    report.add('carried', `group ${name}`, `its members; its access rules became rules of each${from}`)
  }
  return groups
}

const EMPTY = { perm: NO_GROUP_PERMISSIONS, rules: [], permissionRules: [], places: [], quota: 0, quotaFiles: 0 }

function usableName(name: string): string {
  const short = name.replaceAll(',', ' ').slice(0, 100)
  try {
    return requireGroupName(short)
  } catch (error) {
    if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
    return `group ${short.replaceAll(/[^\p{L}\p{N} ]/gu, '')}`.trim()
  }
}
