import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage, selectedEntries } from '../helpers/component/page.ts'

const NAMES = Array.from({ length: 12 }, (_, index) => `DSC_${String(index).padStart(4, '0')}.JPG`)
const FEW = { 'few/a.txt': 'a', 'few/b.txt': 'b', 'few/c.log': 'c', 'few/.hidden.txt': 'h' }

let server: TestServer

beforeAll(async () => {
  const photos = NAMES.map((name) => [`photos/${name}`, name] as const)
  server = await openPage({ files: { ...Object.fromEntries(photos), ...FEW } })
  const body = JSON.stringify({ what: 'user', which: ['hideDotfiles'], data: { id: 1, hideDotfiles: true } })
  await server.fetch('/api/users/1', { method: 'PUT', body })
})
afterAll(async () => await server[Symbol.asyncDispose]())

const namesIn = async (folder: string) => (await readdir(join(server.root, folder))).toSorted()

async function openDialog(name: string) {
  await userEvent.keyboard('{Control>}a{/Control}{F2}')
  return within(await screen.findByRole('dialog', { name }))
}

/** A toast may be in the page twice: shown, and announced to screen readers. */
const expectToast = async (text: string) => expect(await screen.findAllByText(text)).not.toEqual([])

/** Pastes the text, because `type` takes braces for keys. */
async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

it('renames photos by a pattern and undoes it with one key', async () => {
  await goTo('photos', 'DSC_0000.JPG')
  ;(await entryOf('DSC_0000.JPG')).focus()
  const dialog = await openDialog('Rename 12 items')
  await fill(dialog.getByLabelText('New name'), 'Beach ')
  await userEvent.click(dialog.getByRole('button', { name: 'Counter' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Digits').value).toBe('2')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Change extensions too' }))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Letters' }), 'Lower case')
  expect(await dialog.findByText('Names that change: 12')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Rename' }))
  await expectToast('Renamed 12 items')
  expect(await readFile(join(server.root, 'photos/beach 12.jpg'), 'utf8')).toBe('DSC_0011.JPG')
  expect(await namesIn('photos')).toHaveLength(12)
  await userEvent.keyboard('{Control>}z{/Control}')
  await expectToast('Undone')
  expect(await namesIn('photos')).toEqual(NAMES)
})

it('shows conflicts before it renames anything, including those that only the server knows', async () => {
  await goTo('few', 'a.txt')
  ;(await entryOf('a.txt')).focus()
  const dialog = await openDialog('Rename 3 items')
  const rename = dialog.getByRole<HTMLButtonElement>('button', { name: 'Rename' })
  expect(rename.disabled).toBe(true)
  await fill(dialog.getByLabelText('New name'), 'same')
  expect(await dialog.findByText('Problems: 2')).toBeTruthy()
  expect(rename.disabled).toBe(true)
  await fill(dialog.getByLabelText('New name'), '{name}')
  await fill(dialog.getByLabelText('Find'), 'A')
  await fill(dialog.getByLabelText('Replace with'), '.hidden')
  expect(dialog.queryByText(/^Problems/)).toBeNull()
  await userEvent.click(rename)
  expect(await dialog.findByText('Problems: 1')).toBeTruthy()
  expect(await namesIn('few')).toEqual(['.hidden.txt', 'a.txt', 'b.txt', 'c.log'])
  await fill(dialog.getByLabelText('Replace with'), 'z')
  await userEvent.click(rename)
  await expectToast('Renamed 1 item')
  await waitFor(() => expect(selectedEntries()).toEqual(['b.txt', 'c.log', 'z.txt']))
  expect(await namesIn('few')).toEqual(['.hidden.txt', 'b.txt', 'c.log', 'z.txt'])
})
