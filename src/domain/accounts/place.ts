import { type Static, Type } from 'typebox'
import { MAX_RULES, PATH_PERMISSIONS, PathPermissions, PermissionRules, Rule } from '../access/rule.ts'
import { fail } from '../errors.ts'
import { cleanVirtualPath } from '../files/virtual-path.ts'
import type { RootId } from '../ids.ts'
import { foldName } from '../text/fold.ts'
import { hasControls } from '../text/printable.ts'

/** Of an account or a group. "/" lists them all. */
export const MAX_PLACES = 100
/** The `root` of an account that has no folder of its own, and sees only what its groups and its `places` give. */
export const NO_ROOT = 'none' as RootId

const ROOT = Type.Unsafe<RootId>(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$', title: 'Root' }))

const FIELDS = {
  scope: Type.String({ default: '/', maxLength: 4096, title: 'Folder' }),
  name: Type.String({
    default: '',
    maxLength: 64,
    title: 'Name',
    description: 'How it is listed; empty for the name of the root.',
  }),
  rules: Type.Array(Rule, { default: [], maxItems: MAX_RULES, title: 'Rules' }),
  permissionRules: PermissionRules,
}

const PERMISSIONS = Type.Optional(
  Type.Array(Type.Enum(PATH_PERMISSIONS), {
    maxItems: PATH_PERMISSIONS.length,
    uniqueItems: true,
    title: 'Permissions',
    description: 'All that may be done in it, none to look only; left out for those of the account',
  }),
)

/** A folder of a root that is given to an account or to the members of a group. */
export const GivenPlace = Type.Object({ root: ROOT, ...FIELDS, permissions: PERMISSIONS }, { title: 'Place' })
export type GivenPlace = Static<typeof GivenPlace>

/** What an account has beside its own folder, or what a group gives. */
const LIST = {
  default: [],
  maxItems: MAX_PLACES,
  title: 'Places',
  description: 'Folders of roots that are listed beside the own one.',
  'x-filemgr': { widget: 'places', cli: false },
} as const
export const Places = Type.Array(GivenPlace, LIST)

/** A place in a request: all but its root may be left out. */
const WantedPlace = Type.Object(
  { root: ROOT, ...Type.Partial(Type.Object(FIELDS)).properties, permissions: PERMISSIONS },
  { title: 'Place' },
)
export type WantedPlace = Static<typeof WantedPlace>
export const WantedPlaces = Type.Array(WantedPlace, LIST)

export function filledPlace(place: WantedPlace): GivenPlace {
  return { scope: '/', name: '', rules: [], permissionRules: [], ...place }
}

/** A place as its user sees it. */
export const PlaceView = Type.Object({
  name: Type.String(),
  /** Where it begins, such as "/Photos"; "/" if it is the only one. */
  path: Type.String(),
  kind: Type.Enum(['folder', 'bucket']),
  /** It is the own folder of the account. */
  isOwn: Type.Boolean(),
  /** "away" while its disk or bucket cannot be reached. */
  state: Type.Enum(['here', 'away']),
  /** Nobody can change anything in it. */
  readOnly: Type.Boolean(),
  permissions: PathPermissions,
  logged: Type.Optional(
    Type.String({
      description:
        'How the activity log names its folder, such as "Photos:/2024"; only for administrators, who read it',
    }),
  ),
  /** Bytes; absent while it is away, and for a bucket. */
  total: Type.Optional(Type.Integer({ minimum: 0 })),
  free: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type PlaceView = Static<typeof PlaceView>

/** @throws INVALID_INPUT for a name that would be mistaken for something else */
export function requirePlaceName(name: string): string {
  const trimmed = name.trim()
  const refuse = (problem: string) => fail('INVALID_INPUT', problem, { field: 'places' })
  if (hasControls(trimmed)) refuse('the name of a place is one line')
  if (/[/\\]/.test(trimmed) || trimmed.startsWith('.'))
    refuse('the name of a place cannot be a path or begin with a dot')
  return trimmed
}

/** Gives each place a name that no other has: the first keeps it, the next one gets a number. */
export function distinctNames(wanted: readonly string[]): string[] {
  const taken = new Set<string>()
  return wanted.map((name) => {
    let free = name
    for (let count = 2; taken.has(foldName(free)); count++) free = `${name} (${count})`
    taken.add(foldName(free))
    return free
  })
}

/** A place of an account or a group. Without a folder, the only one in that root. */
export interface PlaceRef {
  readonly root: RootId
  readonly folder?: string | undefined
}

/** @throws NOT_FOUND without such a place; INVALID_INPUT if several can be meant */
export function placeOf(places: readonly GivenPlace[], ref: PlaceRef): GivenPlace {
  const [place, another] = places.filter((each) => isPlace(each, ref))
  if (place === undefined) return fail('NOT_FOUND', 'no such place is given; give it with "filemgr roots give"')
  if (another !== undefined)
    fail('INVALID_INPUT', `several folders of this root are given: say which one, such as ${place.scope}`, {
      field: 'folder',
    })
  return place
}

/** Whether this is meant. */
export function isPlace({ root, scope }: GivenPlace, ref: PlaceRef): boolean {
  return root === ref.root && (ref.folder === undefined || cleanVirtualPath(scope) === cleanVirtualPath(ref.folder))
}
