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

/** The requests that change files or the trash, in order, as "POST /api/trash". */
/** A busy server ends a request after two seconds, and the page sends the rest: such a series of far fewer requests than entries is listed once. */
function watchChanges(): { readonly sent: () => string[]; readonly [Symbol.dispose]: () => void } {
  const fetched = vi.spyOn(globalThis, 'fetch')
  return {
    sent: () => {
      const sent = fetched.mock.calls
        .map(([address, init]) => `${init?.method ?? 'GET'} ${new URL(address as string, server.url).pathname}`)
        .filter((text) => /^(POST|PATCH|DELETE) \/api\/(changes|resources|trash)/.test(text))
      expect(sent.length).toBeLessThan(NAMES.length / 2)
      return sent.filter((text, index) => text !== sent[index - 1])
    },
    [Symbol.dispose]: () => fetched.mockRestore(),
  }
}

async function deleteAll(): Promise<void> {
  await goTo('many', '00.txt')
  ;(await entryOf('00.txt')).focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  await waitFor(async () => expect(await names()).toEqual([]))
}

it('deletes all selected entries with one request, says so once, and undoes it with one', async () => {
  using changes = watchChanges()
  await deleteAll()
  const toasts = within(await screen.findByRole('region', { name: /Notifications/ }))
  expect(await toasts.findAllByRole('button', { name: /Undo/ })).toHaveLength(1)
  expect(changes.sent()).toEqual(['POST /api/changes/'])
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await names()).toEqual(NAMES))
  expect(changes.sent()).toEqual(['POST /api/changes/', 'POST /api/trash'])
})

it('restores what is selected in the trash with one request, and takes that back with one', async () => {
  await deleteAll()
  using changes = watchChanges()
  await goToTrash()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  await waitFor(async () => expect(await names()).toEqual(NAMES))
  await screen.findByText('Trash is empty')
  expect(changes.sent()).toEqual(['POST /api/trash'])
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await names()).toEqual([]))
  expect(changes.sent()).toEqual(['POST /api/trash', 'POST /api/changes/'])
})

it('deletes what is selected in the trash forever, with one request', async () => {
  using changes = watchChanges()
  const list = await goToTrash()
  const [one, other] = within(list).getAllByRole('checkbox')
  if (one === undefined || other === undefined) throw new Error('nothing is listed')
  await userEvent.click(one)
  await userEvent.click(other)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete forever' }))
  const asked = within(await screen.findByRole('alertdialog'))
  await userEvent.click(asked.getByRole('button', { name: 'Delete forever' }))
  await screen.findByText(new RegExp(`^${NAMES.length - 2} items`))
  expect(changes.sent()).toEqual(['POST /api/trash'])
})

async function goToTrash(): Promise<HTMLElement> {
  history.pushState({}, '', '/trash')
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  return await screen.findByRole('list', { name: 'Items in the trash' })
}

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
