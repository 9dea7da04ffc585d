import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { UserView } from '../../src/domain/accounts/user.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { goTo, openPage } from '../helpers/component/page.ts'

let server: TestServer

beforeAll(async () => {
  server = await openPage({ files: { 'docs/a.txt': 'a'.repeat(3 * 1024), 'docs/b.txt': 'b' } })
})
afterAll(async () => await server[Symbol.asyncDispose]())

const open = (path: string): void => {
  history.pushState({}, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
}
const card = async () => within(await screen.findByRole('region', { name: 'Storage' }))
const saved = async () => (await (await server.fetch('/api/users/1')).json()) as UserView
const save = async (): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText(/password/i, { selector: 'input' }), `${server.password}{Enter}`)
}

it('a quota is set in the form of a user, as a text such as 4kb, and its use is shown there', async () => {
  open('/settings/users/1')
  const size = (await card()).getByRole('textbox', { name: 'Quota' })
  await userEvent.clear(size)
  await userEvent.type(size, 'much')
  await userEvent.tab()
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  expect((await card()).getByText('Enter a size such as 10 MiB.')).toBeTruthy()
  await userEvent.clear(size)
  await userEvent.type(size, '4kb')
  await userEvent.tab()
  const files = (await card()).getByRole('spinbutton', { name: 'Number of files and folders' })
  await userEvent.clear(files)
  await userEvent.type(files, '8')
  await save()
  await waitFor(async () => expect(await saved()).toMatchObject({ quota: 4096, quotaFiles: 8 }))
  await userEvent.click(await (await card()).findByRole('button', { name: 'Count again' }))
  expect(await (await card()).findByText('3 of 8 used')).toBeTruthy()
})

it('the table of users has a bar for each quota', async () => {
  open('/settings/users')
  const row = within(await screen.findByRole('row', { name: /admin/ }))
  const bar = await row.findByRole('progressbar', { name: 'Storage' })
  expect(bar.getAttribute('aria-valuetext')).toBe('3 KiB of 4 KiB used')
  expect(bar.getAttribute('aria-valuenow')).toBe('75')
})

it('the quota replaces the usage of the disk in the sidebar', async () => {
  await goTo('docs', 'a.txt')
  const bar = await screen.findByRole('progressbar', { name: 'Storage' })
  expect(bar.getAttribute('aria-valuetext')).toBe('3 KiB of 4 KiB used')
  expect(screen.getByRole('progressbar', { name: 'Files and folders' }).getAttribute('aria-valuetext')).toBe(
    '3 of 8 used',
  )
})

it('emptying the field removes the quota', async () => {
  open('/settings/users/1')
  const size = (await card()).getByRole('textbox', { name: 'Quota' })
  await userEvent.clear(size)
  await userEvent.tab()
  const files = (await card()).getByRole('spinbutton', { name: 'Number of files and folders' })
  await userEvent.clear(files)
  await userEvent.type(files, '0')
  await save()
  await waitFor(async () => expect(await saved()).not.toHaveProperty('quota'))
})
