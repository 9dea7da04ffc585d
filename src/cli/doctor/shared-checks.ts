import { isFilemgrError } from '../../domain/errors.ts'
import type { User } from '../../domain/accounts/user.ts'
import { isGrantExpired } from '../../domain/shares/grant.ts'
import { isExpired, type TargetState } from '../../domain/shares/share.ts'
import { nameOfRoot, rootOf } from '../../domain/server/root.ts'
import { counted } from '../../domain/text/units.ts'
import { printable } from '../../domain/text/printable.ts'
import type { Bound } from '../../services/shares/share-records.ts'
import { advice, type Check, type DoctorContext, limited, skip } from './doctor-context.ts'

export const sharesCheck: Check = {
  name: 'shares',
  title: 'Share links that never expire',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const endless = document.shares.filter(({ expire }) => expire === 0)
    const open = endless.filter(({ passwordHash }) => passwordHash === undefined)
    if (endless.length === 0) return []
    const count = endless.length === 1 ? '1 link never expires' : `${endless.length} links never expire`
    return [
      advice(
        `${count} (${open.length} without a password)`,
        'list them with filemgr shares ls, then: filemgr shares set HASH --expires 30d',
      ),
    ]
  },
}

/** A link, or what is shared inside. */
interface Shared extends Bound {
  readonly name: string
  readonly owner: User | undefined
  /** Whom it is for, if that one does not exist. */
  readonly lost?: 'user' | 'group' | undefined
  /** The command that ends it. */
  readonly end: string
}

const AT_PATH: Readonly<Record<Exclude<TargetState, 'bound'>, string>> = {
  missing: 'nothing is at its path',
  changed: 'another file or folder is at its path',
}

export const sharedCheck: Check = {
  name: 'shared',
  title: 'Shared files: owners, recipients and the files themselves exist',
  async run({ options, store: { document }, now }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const known = sharedIn(document, now)
    if (known.length === 0) return []
    const { rootStates } = await import('../../context/root-states.ts')
    const roots = await rootStates(document, options)
    const isAway = ({ scope }: Shared) => roots.get(rootOf(scope))?.state === 'away'
    const [all, unseen] = [known.filter((record) => !isAway(record)), known.filter(isAway)]
    const notChecked = [...Map.groupBy(unseen, ({ scope }) => rootOf(scope))].map(([id, records]) => {
      const count = counted(records.length, 'shared entry', 'shared entries')
      const name = nameOfRoot(document.roots, id)
      return advice(`${count} of the root "${name}" could not be checked`, 'run doctor again once it is back')
    })
    const { readTargets } = await import('../../upkeep/inspect-store.ts')
    let states: readonly TargetState[]
    try {
      states = await readTargets(all, ({ owner }) => owner, document, options)
    } catch (error) {
      if (isFilemgrError(error)) return skip(error.message)
      throw error
    }
    const found = limited(
      all.flatMap(({ name, owner, lost, end }, index) => {
        const state = states[index] ?? 'missing'
        if (owner === undefined) return advice(`${name} has no owner any more`, end)
        if (lost !== undefined) return advice(`${name} is for a ${lost} that does not exist any more`, end)
        if (state === 'bound') return []
        return advice(`${name} shows nothing: ${AT_PATH[state]}`, `put it back, or share it again after: ${end}`)
      }),
    )
    return [...notChecked, ...found]
  },
}

function sharedIn(
  { users, groups, shares, grants }: NonNullable<DoctorContext['store']['document']>,
  now: number,
): Shared[] {
  const accounts = new Map(users.map((user) => [user.id, user]))
  const ofOwner = (owner: User | undefined) => (owner === undefined ? '' : ` of ${owner.username}`)
  const links = shares
    .filter((share) => !isExpired(share, now))
    .map((share): Shared => {
      const owner = accounts.get(share.userID)
      // Anyone with its address can open the link, and people pass reports on.
      const end = 'filemgr shares rm HASH, with the hash from: filemgr shares ls'
      return { ...share, owner, name: `the link${ofOwner(owner)} to ${printable(share.path)}`, end }
    })
  const inside = grants
    .filter((grant) => !isGrantExpired(grant, now))
    .map((grant): Shared => {
      const { id, path, to } = grant
      const owner = accounts.get(grant.owner)
      const isThere = 'user' in to ? accounts.has(to.user) : groups.some((group) => group.id === to.group)
      const lost = isThere ? undefined : 'user' in to ? 'user' : 'group'
      const name = `what ${owner === undefined ? 'is shared' : `${owner.username} shares`} inside at ${printable(path)}`
      return { ...grant, owner, name, lost, end: `filemgr grants rm ${id}` }
    })
  return [...links, ...inside]
}
