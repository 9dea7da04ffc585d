import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { cleanVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Random } from '../../platform/security/random.ts'
import type { Facts, SharedFacts } from '../../store/store.ts'

/** Whose download it is: a user, or the visitors of a link. */
type Downloader = Actor | Visitor

/** Milliseconds in which a download may begin, or be resumed. */
const LIFETIME = 30 * 60 * 1000

const MIB = 1024 * 1024
/** Bytes of one selection: 10,000 names of the greatest length. */
const MAX_SELECTION = 4 * MIB
/** Of one user, or of the visitors of one link: the oldest give way. */
const MAX_OWN = { count: 8, bytes: 2 * MAX_SELECTION }
/** Of all users, and of all links: visitors must not use up the room of users. */
const MAX_ALL = { count: 1000, bytes: 16 * MAX_SELECTION }

interface Listed {
  readonly id: string
  readonly owner: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Kept {
  readonly owner: string
  /** A `Selection` as JSON in base64: a database refuses texts that stand for bytes, as those of names may. */
  readonly selection: string
}

interface Selection {
  readonly folder: VirtualPath
  readonly names: readonly string[]
}

/**
 * Names of files to download as one archive that are too many for an address, for a while. They are only names: what may be
 * downloaded is decided when that happens.
 */
export function createDownloadSelections({ facts, random }: { readonly facts: SharedFacts; readonly random: Random }) {
  return {
    /** @returns an unguessable id. @throws TOO_LARGE, BUSY */
    async keep(who: Downloader, folder: VirtualPath, names: readonly string[]): Promise<string> {
      const owner = ownerOf(who)
      const selection = Buffer.from(JSON.stringify({ folder, names } satisfies Selection)).toString('base64')
      const bytes = selection.length
      if (bytes > MAX_SELECTION)
        fail('TOO_LARGE', 'the names are too long together; download the folder, or fewer items')
      const id = random.token(18)
      const list = `selections/${who.kind}`
      const dropped = await facts.change([list], (all) => enlist(all, list, { id, owner, bytes }))
      await facts.change([keyOf(id), ...dropped.map(keyOf)], (all) => {
        for (const old of dropped) all.remove(keyOf(old))
        all.set(keyOf(id), { owner, selection } satisfies Kept, LIFETIME)
      })
      return id
    },

    /** @throws NOT_FOUND unless the same user, or a visitor of the same link, has made it for this folder */
    async find(who: Downloader, folder: VirtualPath, id: string): Promise<VirtualPath[]> {
      const found = (await facts.change([keyOf(id)], (all) => all.get(keyOf(id)))) as Kept | undefined
      const selection = found?.owner === ownerOf(who) ? selectionIn(found) : undefined
      if (selection?.folder !== folder)
        fail('NOT_FOUND', 'this selection has expired; select the files again', { explained: true })
      return selection.names.map((name) => cleanVirtualPath(name))
    },
  }
}

export type DownloadSelections = ReturnType<typeof createDownloadSelections>

/** @returns the ids that give way. @throws BUSY */
function enlist(facts: Facts, list: string, { id, owner, bytes }: Omit<Listed, 'until'>): string[] {
  const { all = [] } = (facts.get(list) ?? {}) as { readonly all?: readonly Listed[] }
  const live = all.filter(({ until }) => facts.now < until)
  const own = live.filter((one) => one.owner === owner)
  while (own.length >= MAX_OWN.count || bytes + sumOf(own) > MAX_OWN.bytes) own.shift()
  const others = live.filter((one) => one.owner !== owner)
  if (others.length + own.length >= MAX_ALL.count || bytes + sumOf([...others, ...own]) > MAX_ALL.bytes)
    fail('BUSY', 'too many large downloads are being prepared; try again in some minutes', { retryAfter: 60 })
  const next = [...others, ...own, { id, owner, bytes, until: facts.now + LIFETIME }]
  facts.set(list, { all: next }, LIFETIME)
  const present = new Set(next.map((one) => one.id))
  return all.filter((one) => !present.has(one.id)).map((one) => one.id)
}

function selectionIn({ selection }: Kept): Selection {
  return JSON.parse(Buffer.from(selection, 'base64').toString()) as Selection
}

function sumOf(listed: readonly Listed[]): number {
  return listed.reduce((sum, { bytes }) => sum + bytes, 0)
}

function ownerOf(who: Downloader): string {
  if (who.kind === 'visitor') return `link ${who.hash}`
  return who.kind === 'user' ? `user ${who.id}` : fail('FORBIDDEN', 'this belongs to users')
}

function keyOf(id: string): string {
  return `selection/${id}`
}
