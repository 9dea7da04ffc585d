import { describe, expect, it } from 'vitest'
import { isFilemgrError } from '../../../src/domain/errors.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import type { Store } from '../../../src/store/store.ts'
import { addUser, countUp, sampleDocument } from './samples.ts'

/** What every store keeps to. `open` gives a new store that holds the document. */
export function storeContract(name: string, open: (document: StoreDocument) => Promise<Store<StoreDocument>>): void {
  describe(`${name} as a store`, () => {
    it('starts with the document it was given', async () => {
      const document = sampleDocument()
      await using store = await open(document)
      expect(store.snapshot()).toEqual(document)
    })

    it('returns the result of a change, and its new snapshot contains the change', async () => {
      await using store = await open(sampleDocument())
      expect(await store.update(addUser)).toBe(2)
      expect(store.snapshot().users.map(({ username }) => username)).toEqual(['admin', 'user2'])
    })

    it('freezes its snapshots deeply', async () => {
      await using store = await open(sampleDocument())
      await store.update(addUser)
      const [, user] = store.snapshot().users
      expect(() => Object.assign(user?.perm ?? {}, { admin: true })).toThrow(TypeError)
      expect(() => (store.snapshot().users as unknown[]).pop()).toThrow(TypeError)
    })

    it('leaves earlier snapshots as they were', async () => {
      await using store = await open(sampleDocument())
      const before = store.snapshot()
      await store.update(addUser)
      expect(before.users).toHaveLength(1)
    })

    it('does not copy the parts that a change does not touch', async () => {
      await using store = await open(sampleDocument())
      const before = store.snapshot()
      await store.update(countUp)
      expect(store.snapshot().users).toBe(before.users)
      await store.update(addUser)
      expect(store.snapshot().users).not.toBe(before.users)
    })

    it('accepts a list that replaces one that was not read, and a removed field', async () => {
      await using store = await open({ ...sampleDocument(), brandingFolder: 'branding.old' })
      await store.update((draft) => {
        draft.users = []
        delete draft.brandingFolder
      })
      expect(store.snapshot()).toMatchObject({ users: [] })
      expect(store.snapshot()).not.toHaveProperty('brandingFolder')
    })

    it('is not changed through a draft after its update', async () => {
      await using store = await open(sampleDocument())
      const draft = await store.update((document) => document)
      expect(() => draft.users.push(...draft.users)).not.toThrow()
      expect(store.snapshot().users).toHaveLength(1)
    })

    it('keeps all of many changes made at the same time, each of which sees the one before', async () => {
      await using store = await open(sampleDocument())
      const ids = await Promise.all(Array.from({ length: 100 }, () => store.update(addUser)))
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
      expect(store.snapshot().users).toHaveLength(101)
    })

    it('shows what each of several changes at once has changed, and nothing of one that is refused', async () => {
      await using store = await open(sampleDocument())
      const start = store.snapshot().settings.shell
      const seen: string[][] = []
      const add = async (name: string) =>
        await store.update(
          (draft) => void (draft.settings.shell = [...draft.settings.shell, name]),
          (now, before) => void seen.push([...before.settings.shell], [...now.settings.shell]),
        )
      const refuse = store.update(
        () => {
          throw new Error('no')
        },
        () => void seen.push(['refused']),
      )
      await Promise.allSettled([add('a'), refuse, add('b')])
      expect(seen).toEqual([start, [...start, 'a'], [...start, 'a'], [...start, 'a', 'b']])
    })

    it('passes on the error of a change and keeps nothing of the change', async () => {
      await using store = await open(sampleDocument())
      const breaking = store.update((draft) => {
        addUser(draft)
        throw new RangeError('no')
      })
      await expect(breaking).rejects.toThrow(RangeError)
      expect(store.snapshot().users).toHaveLength(1)
    })

    it('keeps the other changes when one among them throws', async () => {
      await using store = await open(sampleDocument())
      const outcomes = await Promise.allSettled([
        store.update(addUser),
        store.update((draft) => {
          draft.users.length = 0
          throw new Error('no')
        }),
        store.update(addUser),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(store.snapshot().users.map(({ id }) => id)).toEqual([1, 2, 3])
    })

    it('refuses a change that breaks the schema and names the field, not its value', async () => {
      await using store = await open(sampleDocument())
      const change = store.update((draft) => {
        const [user] = draft.users
        if (user) user.username = ''
      })
      const error: unknown = await change.catch((thrown: unknown) => thrown)
      expect(isFilemgrError(error, 'INVALID_INPUT') && error.details.field).toBe('users/0/username')
      expect(store.snapshot().users[0]?.username).toBe('admin')
    })

    it('refuses fields that no schema knows, such as a clear password', async () => {
      await using store = await open(sampleDocument())
      const change = store.update((draft) => Object.assign(draft.users[0] ?? {}, { password: 'secret' }))
      await expect(change).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'users/0/password' } })
    })

    it('refuses a second user with the same id', async () => {
      await using store = await open(sampleDocument())
      const change = store.update((draft) =>
        draft.users.push(...draft.users.map((user) => ({ ...user, username: 'b' }))),
      )
      await expect(change).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'users/1/id' } })
    })

    it('refuses an asynchronous change, whose later part would be lost', async () => {
      await using store = await open(sampleDocument())
      await expect(store.update(async (draft) => addUser(draft))).rejects.toThrow(TypeError)
      expect(store.snapshot().users).toHaveLength(1)
    })

    it('notifies listeners of each new snapshot, until they stop', async () => {
      await using store = await open(sampleDocument())
      const calls: number[][] = []
      const stop = store.onChange((now, before) => calls.push([before.users.length, now.users.length]))
      await store.update(addUser)
      await store.update(addUser)
      stop()
      await store.update(addUser)
      expect(calls).toEqual([
        [1, 2],
        [2, 3],
      ])
    })

    it('notifies nobody of a change without effect', async () => {
      await using store = await open(sampleDocument())
      const before = store.snapshot()
      let notified = 0
      store.onChange(() => notified++)
      await store.update((draft) => (draft.settings.signup = false))
      expect([notified, store.snapshot()]).toEqual([0, before])
    })

    it('is not stopped by a listener that throws', async () => {
      await using store = await open(sampleDocument())
      store.onChange(() => {
        throw new Error('no')
      })
      await store.update(countUp)
      await expect(store.update(addUser)).resolves.toBe(2)
    })

    it('accepts no changes after it was closed', async () => {
      const store = await open(sampleDocument())
      await store[Symbol.asyncDispose]()
      await expect(store.update(addUser)).rejects.toMatchObject({ code: 'CANCELLED' })
    })
  })
}
