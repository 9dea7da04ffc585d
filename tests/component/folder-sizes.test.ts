import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FolderSizes } from '../../src/domain/files/resource.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage, shownEntries } from '../helpers/component/page.ts'

const FILES = {
  'sizes/large/deep/1.txt': 'x'.repeat(3072),
  'sizes/middle.txt': 'x'.repeat(1024),
  'sizes/small/2.txt': 'x',
}

let server: TestServer
/** While set, the page receives final sizes only after `until`. */
let held: { until: Promise<unknown>; count: number } | undefined

beforeAll(async () => {
  // The page fetches sizes every 30 seconds anyway, which would hide a missing fetch after a change.
  const { setInterval } = globalThis
  const slower = (run: () => void, ms?: number) => setInterval(run, ms === 30_000 ? 3_600_000 : ms)
  globalThis.setInterval = slower as typeof setInterval
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const answer = await plain(input, init)
    if (held === undefined || !answer.url.includes('/api/sizes/')) return answer
    const { job } = (await answer.clone().json()) as FolderSizes
    if (job === undefined) {
      held.count += 1
      await held.until
    }
    return answer
  }
  server = await openPage({ files: FILES })
})
afterAll(async () => await server[Symbol.asyncDispose]())

async function toggle(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'More folder actions' }))
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Show folder sizes' }))
}

/** Adds 4 KiB to a folder, and a file beside it: the page notices only changes of the folder it shows. */
async function grow(name: string, beside: string): Promise<void> {
  await server.fetch(`/api/resources/sizes/small/${name}`, { method: 'POST', body: 'x'.repeat(4096) })
  await server.fetch(`/api/resources/sizes/${beside}`, { method: 'POST', body: 'x' })
}

const hasText = async (name: string, text: RegExp) =>
  await waitFor(async () => expect(within(await entryOf(name)).getByText(text)).toBeTruthy())

it('shows the sizes of folders when they are turned on, and sorts by them', async () => {
  await goTo('sizes', 'middle.txt')
  await hasText('middle.txt', /1 KiB/)
  expect(screen.queryByText(/3 KiB/)).toBeNull()
  expect(await (await server.fetch('/api/jobs')).json()).toEqual([])
  await toggle()
  await hasText('large', /3 KiB/)
  await hasText('small', /1 B/)
  const [sorting] = screen
    .getAllByRole('button', { name: 'Name' })
    .filter((button) => button.matches('[aria-haspopup]'))
  if (sorting === undefined) throw new Error('there is no button to sort by')
  await userEvent.click(sorting)
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Size' }))
  await waitFor(() => expect(shownEntries()).toEqual(['small', 'middle.txt', 'large']))
  await grow('3.txt', 'new.txt')
  await waitFor(() => expect(shownEntries()).toEqual(['new.txt', 'middle.txt', 'large', 'small']))

  // A change while the sizes are being fetched: the answer does not include it.
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const now = (held = { until: promise, count: 0 })
  await grow('4.txt', 'next.txt')
  await waitFor(() => expect(now.count).toBe(1))
  await grow('5.txt', 'last.txt')
  await entryOf('last.txt')
  held = undefined
  resolve(undefined)
  await waitFor(async () => expect(within(await entryOf('small')).getByText(/12 KiB/)).toBeTruthy())

  await toggle()
  await waitFor(() => expect(screen.queryByText(/3 KiB/)).toBeNull())
  expect(shownEntries().at(-1)).toBe('middle.txt')
})
