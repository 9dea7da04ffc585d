import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage } from '../helpers/component/page.ts'

const NAMES = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(2, '0')}.txt`)

let server: TestServer

beforeAll(async () => {
  const files = NAMES.flatMap((name) => [`many/${name}`, `more/${name}`])
  server = await openPage({ files: Object.fromEntries(files.map((path) => [path, path])) })
})
afterAll(async () => await server[Symbol.asyncDispose]())

const names = async () => (await readdir(join(server.root, 'many'))).toSorted()

it('deletes all selected entries with one request, says so once, and undoes it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  await goTo('many', '00.txt')
  ;(await entryOf('00.txt')).focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  await waitFor(async () => expect(await names()).toEqual([]))
  const toasts = within(await screen.findByRole('region', { name: /Notifications/ }))
  expect(await toasts.findAllByRole('button', { name: /Undo/ })).toHaveLength(1)
  const sent = fetched.mock.calls.filter(([, init]) => init?.method === 'POST' || init?.method === 'DELETE')
  const addresses = sent.map(([address]) => address as string)
  const changing = new Set(addresses.filter((address) => /changes|resources/.test(address)))
  expect([...changing]).toEqual([expect.stringContaining('/api/changes/')])
  fetched.mockRestore()
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await names()).toEqual(NAMES))
})

it('does not list the folder again while many entries change, only at the end', async () => {
  await goTo('more', '00.txt')
  // Once this is listed, the page receives events.
  await writeFile(join(server.root, 'more/0.txt'), '')
  await entryOf('0.txt')
  const plain = globalThis.fetch
  let lists = 0
  const listed = Promise.withResolvers<number>()
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const url = address instanceof Request ? address.url : String(address)
    if (url.includes('/api/resources/more')) lists += 1
    const reply = await plain(address, init)
    if (url.includes('/api/changes/')) {
      // The server reports the changes at once.
      await setTimeout(500)
      listed.resolve(lists)
    }
    return reply
  })
  ;(await entryOf('00.txt')).focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  expect(await listed.promise).toBe(0)
  await waitFor(() => expect(screen.queryByRole('grid', { name: 'Files' })).toBeNull())
  fetched.mockRestore()
})
