import { type Static, Type } from 'typebox'
import { NO_PERMISSIONS, type Permissions } from '../access/permissions.ts'
import { EntryIdentity } from '../files/entry-identity.ts'
import { MAX_NAME_BYTES, type VirtualPath } from '../files/virtual-path.ts'
import { bytesOfText } from '../files/name-text.ts'
import type { GrantId, GroupId, UserId } from '../ids.ts'
import { foldName } from '../text/fold.ts'
import { ShareDuration } from './share.ts'

/** What recipients may do: see, also in the browser; download too; change everything in it; only send files, and see nothing. */
export const GRANT_KINDS = ['view', 'download', 'edit', 'upload'] as const
export type GrantKind = (typeof GRANT_KINDS)[number]

const Allows = Type.Enum([...GRANT_KINDS], {
  default: 'download',
  description:
    'What recipients may do: view (in the browser only), download, edit (everything in it), or upload (and see nothing)',
})

const User = Type.Unsafe<UserId>(Type.Integer({ minimum: 1 }))
const Id = Type.Unsafe<GrantId>(Type.String({ pattern: '^[\\w-]{16}$' }))
const Path = Type.Unsafe<VirtualPath>(Type.String({ maxLength: 4096 }))
const Time = Type.Integer({ minimum: 0, description: 'Unix seconds; 0 = never' })

/** A user, or everybody in a group. */
const Recipient = Type.Union([
  Type.Object({ user: User }),
  Type.Object({ group: Type.Unsafe<GroupId>(Type.String({ minLength: 1, maxLength: 64 })) }),
])
export type Recipient = Static<typeof Recipient>

/** A file or folder that one user shares with others on this server. It never gives more than its owner has. */
export const Grant = Type.Object({
  id: Id,
  owner: User,
  /** As recipients see it, different from those of the owner's other grants. It stays when the entry is renamed. */
  name: Type.String({ minLength: 1, maxLength: 255 }),
  /** In the owner's scope. */
  path: Path,
  /** The owner's scope at creation: the same path in another scope is a different file. */
  scope: Path,
  /** So that another file at the same path is not exposed. */
  target: EntryIdentity,
  to: Recipient,
  allows: Allows,
  created: Time,
  expires: Time,
  /** Members of the group who do not want it. */
  left: Type.Optional(Type.Array(User)),
})
export type Grant = Static<typeof Grant>

/** A grant as its owner sees it. */
export const GrantView = Type.Object({
  id: Id,
  path: Path,
  name: Grant.properties.name,
  owner: Type.String({ description: 'Username' }),
  to: Type.Object({
    kind: Type.Enum(['user', 'group']),
    name: Type.String({ description: 'Username, or name of the group' }),
    members: Type.Optional(Type.Integer({ description: 'How many the group has' })),
  }),
  allows: Allows,
  isDir: Type.Boolean(),
  created: Time,
  expires: Time,
  target: Type.Enum(['bound', 'changed', 'missing'], { description: 'Recipients reach it only while it is "bound"' }),
})
export type GrantView = Static<typeof GrantView>

/** What was shared with a user, as that user sees it. */
export const SharedWithMe = Type.Object({
  id: Id,
  name: Grant.properties.name,
  path: Type.String({ description: 'Where it is among the files of the recipient' }),
  owner: Type.String({ description: 'Username' }),
  group: Type.Optional(Type.String({ description: 'The group with which it is shared' })),
  allows: Allows,
  isDir: Type.Boolean(),
  created: Time,
  expires: Time,
  isNew: Type.Boolean({ description: 'Since the recipient has last looked' }),
  permissions: Type.Object(
    {
      create: Type.Boolean(),
      rename: Type.Boolean(),
      modify: Type.Boolean(),
      delete: Type.Boolean(),
      download: Type.Boolean({ description: 'With "view", only in the browser' }),
    },
    { description: 'What the recipient may do now, since the owner may do no more' },
  ),
})
export type SharedWithMe = Static<typeof SharedWithMe>

/** Refuses what it does not know: a restriction that was dropped silently would give more. */
export const NewGrant = Type.Object(
  {
    to: Type.Object(
      {
        user: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Username' })),
        group: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Name of a group' })),
      },
      { additionalProperties: false },
    ),
    allows: Type.Optional(Allows),
    ...ShareDuration.properties,
  },
  { additionalProperties: false },
)
export type NewGrant = Static<typeof NewGrant>

/** Absent fields stay unchanged. */
export const GrantChange = Type.Object(
  { allows: Type.Optional(Allows), ...ShareDuration.properties },
  { additionalProperties: false },
)
export type GrantChange = Static<typeof GrantChange>

/** A person or a group that something can be shared with. */
export const Someone = Type.Object({
  kind: Type.Enum(['user', 'group']),
  name: Type.String(),
  members: Type.Optional(Type.Integer({ description: 'Of a group' })),
})
export type Someone = Static<typeof Someone>

/** Grants by their names, as a recipient sees them: "Photos (anna)". Two never have the same name. */
export function namesOfGrants<G extends Pick<Grant, 'name'>>(
  grants: readonly G[],
  ownerOf: (grant: G) => string,
): Map<string, G> {
  const names = new Map<string, G>()
  const taken = new Set<string>()
  for (const grant of grants) {
    // A slash cannot be part of a name.
    const end = ` (${ownerOf(grant).replaceAll('/', '∕')})`
    for (let number = 1; ; number += 1) {
      const name = fitted(grant.name, number === 1 ? end : `${end} ${number}`)
      if (taken.has(foldName(name))) continue
      taken.add(foldName(name))
      names.set(name, grant)
      break
    }
  }
  return names
}

/** A name for a new grant that no other of the same owner has. */
export function freeGrantName(preferred: string, taken: readonly string[]): string {
  const folded = new Set(taken.map(foldName))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? fitted(preferred, '') : fitted(preferred, ` ${number}`)
    if (!folded.has(foldName(name))) return name
  }
}

function fitted(start: string, end: string): string {
  const letters = [...start]
  while (letters.length > 0 && bytesOfText(letters.join('') + end).length > MAX_NAME_BYTES) letters.pop()
  return letters.join('') + end
}

const GIVEN: Readonly<Record<GrantKind, Partial<Permissions>>> = {
  view: { download: true },
  download: { download: true },
  edit: { download: true, create: true, rename: true, modify: true, delete: true },
  upload: { create: true },
}

/** What a grant gives of what its owner has. */
export function permissionsOfGrant(allows: GrantKind, owner: Permissions): Permissions {
  return common({ ...NO_PERMISSIONS, ...GIVEN[allows] }, owner)
}

/** The permissions that both have. */
export function common(one: Permissions, other: Permissions): Permissions {
  const kept = Object.entries(one).map(([name, has]) => [name, has && other[name as keyof Permissions]])
  return Object.fromEntries(kept) as Permissions
}

/** @param now milliseconds since 1970 */
export function isGrantExpired({ expires }: Pick<Grant, 'expires'>, now: number): boolean {
  return expires !== 0 && expires * 1000 <= now
}
