import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage, PATIENCE, shownEntries } from '../helpers/component/page.ts'

const FILES = {
  'sizes/large/deep/1.txt': 'x'.repeat(3072),
  'sizes/middle.txt': 'x'.repeat(1024),
  'sizes/small/2.txt': 'x',
}

let server: TestServer

beforeAll(async () => {
  server = await openPage({ files: FILES })
}, PATIENCE.timeout)
afterAll(async () => await server[Symbol.asyncDispose]())

async function toggle(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'More folder actions' }))
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Show folder sizes' }, PATIENCE))
}

const hasText = async (name: string, text: RegExp) =>
  await waitFor(async () => expect(within(await entryOf(name)).getByText(text)).toBeTruthy(), PATIENCE)

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
  await waitFor(() => expect(shownEntries()).toEqual(['small', 'middle.txt', 'large']), PATIENCE)
  await server.fetch('/api/resources/sizes/small/3.txt', { method: 'POST', body: 'x'.repeat(4096) })
  await waitFor(() => expect(shownEntries()).toEqual(['middle.txt', 'large', 'small']), PATIENCE)
  await toggle()
  await waitFor(() => expect(screen.queryByText(/3 KiB/)).toBeNull(), PATIENCE)
  expect(shownEntries().at(-1)).toBe('middle.txt')
}, 120_000)
