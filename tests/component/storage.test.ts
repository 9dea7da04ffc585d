import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage, shownEntries } from '../helpers/component/page.ts'

const FILES = {
  'store/films/long.mkv': 'x'.repeat(6000),
  'store/films/old/short.mkv': 'x'.repeat(2000),
  'store/notes.txt': 'x'.repeat(1500),
  'store/photos/sea.jpg': 'x'.repeat(500),
  'bare/': '',
}

let server: TestServer
/** Replaces what the server answers about sizes. */
let answered: (() => Response) | undefined

beforeAll(async () => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const isSizes = new Request(input instanceof URL ? input.href : input, init).url.includes('/api/sizes/')
    return isSizes && answered !== undefined ? answered() : await plain(input, init)
  }
  server = await openPage({ files: FILES })
})
afterEach(() => (answered = undefined))
afterAll(async () => await server[Symbol.asyncDispose]())

function show(address: string): void {
  history.pushState({}, '', `/files/${address}`)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
}

const listed = async () =>
  within(await screen.findByRole('list', { name: 'Folders and files by size' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

const running = { id: '1', kind: 'measure', userID: 1, path: '/store', leftOut: [], created: '2026-01-01T00:00:00Z' }
const answer = (job: object): Response => Response.json({ sizes: [], job: { ...running, ...job } })

it('shows what is in a folder by size, and leads into its folders and back', async () => {
  show('store/?storage')
  await waitFor(async () => {
    expect(await listed()).toEqual(['films7.8 KiB80%', 'notes.txt1.5 KiB15%', 'photos500 B5%'])
  })
  await screen.findByText('3 folders, 4 files')
  await userEvent.click(screen.getByRole('link', { name: 'films' }))
  await waitFor(async () => expect(await listed()).toEqual(['long.mkv5.9 KiB75%', 'old2 KiB25%']))
  await userEvent.click(screen.getByRole('link', { name: 'store' }))
  await waitFor(async () => expect(await listed()).toHaveLength(3))
  await userEvent.click(screen.getByRole('link', { name: 'Show the files' }))
  await waitFor(() => expect(shownEntries()).toEqual(['films', 'photos', 'notes.txt']))
})

it('lists the largest files, which can be shown in their folder and deleted', async () => {
  show('store/?storage=largest')
  const table = await screen.findByRole('table', { name: 'Largest files' })
  const rows = () =>
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  expect(rows()).toEqual([
    'long.mkv/store/films',
    'short.mkv/store/films/old',
    'notes.txt/store',
    'sea.jpg/store/photos',
  ])
  await userEvent.click(within(table).getByRole('checkbox', { name: 'Select short.mkv' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(rows()).toEqual(['long.mkv/store/films', 'notes.txt/store', 'sea.jpg/store/photos']))
  await userEvent.click(within(table).getByRole('button', { name: 'Actions for sea.jpg' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show in folder' }))
  await waitFor(() => expect(shownEntries()).toEqual(['sea.jpg']))
})

it('says how far counting is, that it was cancelled or has failed, and that a folder is empty', async () => {
  answered = () => answer({ state: 'running', progress: { bytes: 2048, files: 12 } })
  show('store/films/?storage')
  await screen.findByText('12 files · 2 KiB')
  answered = () => answer({ state: 'cancelled', progress: { bytes: 2048, files: 12 } })
  await screen.findByText('This was cancelled.', {}, { timeout: 5000 })
  answered = () => Response.json({ code: 'BUSY', message: 'too much to do' }, { status: 503 })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await within(await screen.findByRole('alert')).findByText(/The server is busy/)
  answered = undefined
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('1 folder, 1 file')
  show('bare/?storage')
  await screen.findByRole('heading', { name: 'This folder is empty' })
})
