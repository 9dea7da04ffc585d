import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { ApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { Session } from '../../../src/domain/accounts/session.ts'
import { Share } from '../../../src/domain/shares/share.ts'
import type { SessionFamily, SessionId, ShareHash, TokenId, UserId } from '../../../src/domain/ids.ts'
import type { StoredWebhook } from '../../../src/domain/automation/webhook.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import type { Stores } from '../../../src/store/open-stores.ts'
import { seeded } from '../../helpers/seeded.ts'
import { sampleDocument, sampleUser } from './samples.ts'

/** A store that is opened again and again, as by one process after another, or by several at once. */
export interface ReopenedStore {
  open(): Promise<Stores>
  /** Lets an hour pass, after which a store may forget what was removed. */
  age?(): Promise<void>
}

/** A kind of record. Its name identifies a record, and its value changes. */
interface Kind {
  readonly names: readonly [string, string, ...string[]]
  put(stores: Stores, name: string, value: number): Promise<unknown>
  remove(stores: Stores, name: string): Promise<unknown>
  /** True if records stay in the order in which they were added; otherwise they are read by name. */
  readonly keepsOrder: boolean
  read(stores: Stores): (readonly [name: string, value: number])[]
}

const NAMES = ['a', 'b', 'c', 'd'] as const
const longId = (name: string) => `${name}-0000000000000000`

type List = 'users' | 'shares' | 'reservedSlugs' | 'tokens' | 'webhooks'

function listOf<L extends List>(
  list: L,
  make: (name: string, value: number) => StoreDocument[L][number],
  read: (record: StoreDocument[L][number]) => readonly [name: string, value: number],
): Kind {
  type R = StoreDocument[L][number]
  return {
    names: NAMES,
    keepsOrder: true,
    put: async ({ store }, name, value) =>
      await store.update((draft) => {
        const records = draft[list] as R[]
        const index = records.findIndex((record) => read(record)[0] === name)
        records.splice(index < 0 ? records.length : index, index < 0 ? 0 : 1, make(name, value))
      }),
    remove: async ({ store }, name) =>
      await store.update((draft) => {
        const records = draft[list] as R[]
        Object.assign(draft, { [list]: records.filter((record) => read(record)[0] !== name) })
      }),
    read: ({ store }) => (store.snapshot()[list] as readonly R[]).map(read),
  }
}

const users = listOf(
  'users',
  (name, value) => ({ ...sampleUser(name.charCodeAt(0), name), updatedAt: value }),
  ({ username, updatedAt }) => [username, updatedAt],
)
const shares = listOf(
  'shares',
  (name, value) => ({
    ...Value.Create(Share),
    hash: name as ShareHash,
    userID: 1 as UserId,
    openings: value,
  }),
  ({ hash, openings }) => [hash, openings],
)
const reservedSlugs = listOf(
  'reservedSlugs',
  (name, until) => ({ slug: name as ShareHash, userID: 1 as UserId, until }),
  ({ slug, until }) => [slug, until],
)
const tokens = listOf(
  'tokens',
  (name, value): ApiToken => ({
    id: longId(name) as TokenId,
    name,
    permissions: [],
    path: '/' as ApiToken['path'],
    userId: 1 as UserId,
    hash: name.charCodeAt(0).toString(16).padStart(64, '0'),
    created: 0,
    expires: 0,
    lastUsed: value,
  }),
  ({ name, lastUsed }) => [name, lastUsed],
)
const webhooks = listOf(
  'webhooks',
  (id, value): StoredWebhook => ({
    id,
    url: 'https://example.com/',
    name: `${value}`,
    events: ['after_upload'],
    enabled: true,
    secret: `whsec_${'a'.repeat(32)}`,
  }),
  ({ id, name }) => [id, Number(name)],
)

/** Fields of the document that may be absent. */
const fields: Kind = {
  names: ['brandingFolder', 'maintenance'],
  keepsOrder: false,
  put: async ({ store }, name, value) =>
    await store.update((draft) => {
      if (name === 'maintenance') draft.maintenance = { message: `${value}`, since: '' }
      else draft.brandingFolder = `branding.${value}`
    }),
  remove: async ({ store }, name) =>
    await store.update((draft) => {
      if (name === 'maintenance') delete draft.maintenance
      else delete draft.brandingFolder
    }),
  read({ store }) {
    const { brandingFolder, maintenance } = store.snapshot()
    return [
      ...(brandingFolder === undefined ? [] : [['brandingFolder', Number(brandingFolder.split('.')[1])] as const]),
      ...(maintenance === undefined ? [] : [['maintenance', Number(maintenance.message)] as const]),
    ]
  },
}

const sessions: Kind = {
  names: NAMES,
  keepsOrder: false,
  async put({ sessions: collection }, name, value) {
    const session: Session = {
      id: longId(name) as SessionId,
      family: longId(name) as SessionFamily,
      method: 'json',
      userId: 1 as UserId,
      signedInAt: 0,
      issuedAt: 0,
      expiresAt: 1,
      lastSeenAt: value,
      credentialsVersion: 0,
      replaced: [],
      address: '',
      userAgent: '',
    }
    await collection.change({ put: [session] })
  },
  remove: async ({ sessions: collection }, name) => await collection.change({ remove: [longId(name)] }),
  read: ({ sessions: collection }) =>
    collection
      .all()
      .map(({ family, lastSeenAt }) => [family.slice(0, 1), lastSeenAt] as const)
      .toSorted(),
}

const KINDS = { users, shares, reservedSlugs, tokens, webhooks, fields, sessions }
type KindName = keyof typeof KINDS
const KIND_NAMES = Object.keys(KINDS) as KindName[]
/** Kinds of the random changes; reserved slugs are stored as one field, as webhooks are. */
const CHANGED = KIND_NAMES.filter((name) => name !== 'reservedSlugs')

type Content = Record<string, (readonly [name: string, value: number])[]>

/** Records of all kinds, without the administrator of the sample. */
const contentOf = (stores: Stores): Content => ({
  ...Object.fromEntries(KIND_NAMES.map((name) => [name, KINDS[name].read(stores)])),
  users: users.read(stores).filter(([name]) => name !== 'admin'),
})

/** With room for the ids of the users that tests add. */
const initial = (): StoreDocument => ({ ...sampleDocument(), nextUserId: 1000 as UserId })

/** What a store must have. */
function createModel() {
  const lists = new Map(KIND_NAMES.map((name) => [name, new Map<string, number>()]))
  return {
    change(kind: KindName, name: string, value: number | undefined): void {
      if (value === undefined) lists.get(kind)?.delete(name)
      else lists.get(kind)?.set(name, value)
    },
    content: (): Content =>
      Object.fromEntries(
        [...lists].map(([kind, records]) => [kind, KINDS[kind].keepsOrder ? [...records] : [...records].toSorted()]),
      ),
  }
}

/** What a store has after it was closed and opened again. */
export function reopeningContract(name: string, begin: (document: StoreDocument) => Promise<ReopenedStore>): void {
  const reopened = async <T>(store: ReopenedStore, work: (stores: Stores) => T | Promise<T>): Promise<T> => {
    await using stores = await store.open()
    return await work(stores)
  }

  describe.each(KIND_NAMES)(`${name} that is opened again after %s were removed`, (kindName) => {
    const kind = KINDS[kindName]
    const [first, second] = kind.names
    const content = (stores: Stores) => contentOf(stores)[kindName]

    it('has those that were not removed', async () => {
      const store = await begin(initial())
      await reopened(store, async (stores) => {
        await kind.put(stores, first, 1)
        await kind.put(stores, second, 2)
      })
      expect(await reopened(store, content)).toEqual([
        [first, 1],
        [second, 2],
      ])
      await reopened(store, async (stores) => await kind.remove(stores, first))
      expect(await reopened(store, content)).toEqual([[second, 2]])
      await reopened(store, async (stores) => await kind.remove(stores, second))
      expect(await reopened(store, content)).toEqual([])
    })

    it('has those that were added again', async () => {
      const store = await begin(initial())
      await reopened(store, async (stores) => {
        await kind.put(stores, first, 1)
        await kind.remove(stores, first)
        await kind.put(stores, first, 2)
      })
      expect(await reopened(store, content)).toEqual([[first, 2]])
      await reopened(store, async (stores) => await kind.put(stores, first, 3))
      expect(await reopened(store, content)).toEqual([[first, 3]])
    })
  })

  describe(`${name} after random changes by two processes`, () => {
    it.each([1, 2, 3, 4])('is the same as a model whenever it is opened (seed %i)', async (seed) => {
      const random = seeded(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const store = await begin(initial())
      const model = createModel()
      const writers: [Stores, Stores] = [await store.open(), await store.open()]
      try {
        for (let step = 1; step <= 150; step++) {
          const kindName = pick(CHANGED)
          const kind = KINDS[kindName]
          const record = pick(kind.names)
          // A change of a session fails if another process has changed it: so only one does.
          const index = kindName === 'sessions' ? 0 : pick([0, 1] as const)
          const writer = writers[index]
          const isPut = random() < 0.5
          if (isPut) await kind.put(writer, record, step)
          else await kind.remove(writer, record)
          model.change(kindName, record, isPut ? step : undefined)
          // What the other process did to sessions is only read when they are opened.
          const { sessions: ofSessions, ...others } = model.content()
          const content = kindName === 'sessions' ? { sessions: ofSessions } : others
          expect(contentOf(writer), `step ${step}`).toMatchObject(content)
          if (random() < 0.1) await store.age?.()
          if (random() < 0.1) {
            await writer[Symbol.asyncDispose]()
            writers[index] = await store.open()
          }
          if (random() < 0.1) expect(await reopened(store, contentOf), `step ${step}`).toEqual(model.content())
        }
      } finally {
        for (const writer of writers) await writer[Symbol.asyncDispose]()
      }
      expect(await reopened(store, contentOf)).toEqual(model.content())
    })
  })
}
