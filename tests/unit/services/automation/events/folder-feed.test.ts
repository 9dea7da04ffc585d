import { expect, it } from 'vitest'
import { OPERATOR } from '../../../../../src/domain/accounts/actor.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { type FileAccess, OWN } from '../../../../../src/services/access/file-access.ts'
import { FolderFeed } from '../../../../../src/services/automation/events/folder-feed.ts'

it('follows the folder that was requested last, whichever opens first, and releases the others', async () => {
  const opening = new Map<string, PromiseWithResolvers<Disposable>>()
  const watched = new Set<string>()
  const files = {
    user: { scope: '/' },
    place: OWN,
    requireAllowed: () => undefined,
    allows: () => true,
    scope: {
      watch: async (path: string) => {
        const opened = Promise.withResolvers<Disposable>()
        opening.set(path, opened)
        return await opened.promise
      },
    },
    [Symbol.dispose]: () => undefined,
  } as unknown as FileAccess
  const open = (path: string) => {
    watched.add(path)
    opening.get(path)?.resolve({ [Symbol.dispose]: () => void watched.delete(path) })
  }
  const ignore = () => undefined
  const deps = {
    access: { at: async (_: unknown, path: string) => Object.assign(Object.create(files) as FileAccess, { path }) },
    actor: () => OPERATOR,
    notify: ignore,
    onChanged: ignore,
  }
  using feed = new FolderFeed(deps)
  const [first, last] = ['/first', '/last'].map(async (path) => await feed.follow(parseVirtualPath(path)))
  await expect.poll(() => opening.size).toBe(2)
  open('/last')
  await last
  open('/first')
  await first
  expect(feed.path).toBe('/last')
  expect([...watched]).toEqual(['/last'])
})
