import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage, selectedEntries } from '../helpers/component/page.ts'
import { zipOf } from '../helpers/samples/epub.ts'
import { zipFile } from '../helpers/samples/zip-file.ts'

const PAPERS = {
  'letters/one.txt': 'Dear Ada',
  'letters/two.txt': 'Dear Bo',
  'note.txt': 'a note',
  '../up': 'left out',
}

let server: TestServer

beforeAll(async () => {
  server = await openPage({
    files: {
      'names/keep.txt': '',
      'look/keep.txt': '',
      'out/keep.txt': '',
      'make/a.txt': 'alpha',
      'make/b.txt': 'beta',
    },
  })
  for (const folder of ['look', 'out']) await writeFile(join(server.root, folder, 'papers.zip'), zipOf(PAPERS))
  // "テスト.txt" in Shift JIS.
  const name = Buffer.from('8365835883672e747874', 'hex')
  const parts = [
    { name, content: 't', isUtf8: false },
    { name: 'secret.txt', content: 's', flags: 1 },
  ]
  await writeFile(join(server.root, 'names/old.zip'), zipFile(parts))
})
afterAll(async () => await server[Symbol.asyncDispose]())

const namesIn = async (folder: string) => (await readdir(join(server.root, folder))).toSorted()

/** A toast may be in the page twice: shown, and announced to screen readers. */
const expectToast = async (text: string) => expect(await screen.findAllByText(text)).not.toEqual([])

async function openArchive(folder: string): Promise<void> {
  await goTo(folder, 'papers.zip')
  await userEvent.dblClick(await entryOf('papers.zip'))
  await entryOf('letters')
}

it('opens an archive like a folder, and a file in it in the viewer', async () => {
  await openArchive('look')
  expect(await screen.findByText('1 item skipped')).toBeTruthy()
  expect(screen.getByText('../up').parentElement?.textContent).toBe('../upits path leads outside')
  await userEvent.dblClick(await entryOf('letters'))
  await entryOf('two.txt')
  expect(location.search).toBe(`?inside=${encodeURIComponent('/letters/')}`)
  await userEvent.dblClick(await entryOf('one.txt'))
  expect(await screen.findByText('Dear Ada')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await entryOf('two.txt')
  await userEvent.click(screen.getByRole('link', { name: 'papers.zip', current: false }))
  await entryOf('note.txt')
})

it('extracts a selection here, and undoes it with one key', async () => {
  await openArchive('out')
  await userEvent.click(await entryOf('note.txt'))
  await waitFor(() => expect(selectedEntries()).toEqual(['note.txt']))
  await userEvent.click(screen.getByRole('button', { name: 'Extract here' }))
  await expectToast('Extracted “note.txt” to out')
  expect(await readFile(join(server.root, 'out/note.txt'), 'utf8')).toBe('a note')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expectToast('Undone')
  expect(await namesIn('out')).toEqual(['keep.txt', 'papers.zip'])
})

it('extracts all of an archive from the menu of the list, and compresses a selection', async () => {
  await goTo('out', 'papers.zip')
  ;(await entryOf('papers.zip')).focus()
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Extract here' }))
  await expectToast('Extracted “papers” to out · 1 item skipped')
  expect(await namesIn('out/papers')).toEqual(['letters', 'note.txt'])

  await goTo('make', 'a.txt')
  ;(await entryOf('a.txt')).focus()
  await userEvent.keyboard('{Control>}a{/Control}{Shift>}{F10}{/Shift}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Compress…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Compress' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('make')
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Archive format' }), '.tar.gz')
  await userEvent.click(dialog.getByRole('button', { name: 'Compress' }))
  await expectToast('Created “make.tar.gz” in make')
  expect(await namesIn('make')).toEqual(['a.txt', 'b.txt', 'make.tar.gz'])
})

it('reads names in another encoding, and says that something was skipped', async () => {
  await goTo('names', 'old.zip')
  await userEvent.dblClick(await entryOf('old.zip'))
  await entryOf('テスト.txt')
  const select = screen.getByRole('combobox', { name: 'Encoding of file names' })
  expect(within(select).getByRole<HTMLOptionElement>('option', { selected: true }).text).toBe(
    'Detect automatically (Shift JIS)',
  )
  await userEvent.selectOptions(select, 'Windows-1251 (Cyrillic)')
  await entryOf('ѓeѓXѓg.txt')
  expect(location.search).toBe('?encoding=windows-1251')
  await userEvent.click(screen.getByRole('button', { name: 'Extract to…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Extract' }))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Encoding of file names' }), 'shift_jis')
  const start = dialog.getByRole<HTMLButtonElement>('button', { name: 'Extract' })
  // The folder of the archive is chosen once the tree has loaded it.
  await waitFor(() => expect(start.disabled).toBe(false))
  await userEvent.click(start)
  await expectToast('Extracted “old” to names · 1 item skipped')
  expect(await namesIn('names/old')).toEqual(['テスト.txt'])
})
