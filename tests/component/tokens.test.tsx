import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiTokenView } from '../../src/domain/accounts/api-token.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage } from '../helpers/component/page.ts'

let server: TestServer

beforeAll(async () => {
  server = await openPage({ files: { 'docs/a.txt': 'a' } })
  history.pushState({}, '', '/settings/security')
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
})
afterAll(async () => await server[Symbol.asyncDispose]())

const savedTokens = async () => (await (await server.fetch('/api/tokens')).json()) as ApiTokenView[]
const card = async () => await screen.findByRole('region', { name: 'API tokens' })
const openDialog = async () => {
  await userEvent.click(within(await card()).getByRole('button', { name: 'New token' }))
  return within(await screen.findByRole('dialog', { name: 'New token' }))
}

it('asks for a name and the password, and creates no token without them', async () => {
  const dialog = await openDialog()
  await userEvent.click(dialog.getByRole('button', { name: 'Create token' }))
  expect(await dialog.findByText('Enter a name.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Name'), 'nightly')
  await userEvent.type(dialog.getByLabelText('Your current password'), 'wrong{Enter}')
  expect(await dialog.findByText('This is not your current password.')).toBeTruthy()
  expect(await savedTokens()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
})

it('creates a token with the chosen permissions, folder and lifetime, and shows it once', async () => {
  const dialog = await openDialog()
  await userEvent.type(dialog.getByLabelText('Name'), 'nightly')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Create' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Download' }))
  await userEvent.clear(dialog.getByLabelText('Folder'))
  await userEvent.type(dialog.getByLabelText('Folder'), '/docs')
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Expires after' }), 'Never')
  await userEvent.type(dialog.getByLabelText('Your current password'), `${server.password}{Enter}`)
  const made = within(await screen.findByRole('alertdialog', { name: 'Your new token' }))
  const secret = made.getByText(/^fmgr_/).textContent
  expect((await fetch(new URL('api/resources/docs/', server.url), { headers: { 'x-auth': secret } })).status).toBe(200)
  expect(await savedTokens()).toMatchObject([{ name: 'nightly', permissions: ['create'], path: '/docs' }])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(made.getByRole('button', { name: 'Done' }))
  const row = within(await within(await card()).findByRole('listitem', { name: 'nightly' }))
  expect(row.getByText('/docs')).toBeTruthy()
  expect(document.body.textContent).not.toContain(secret)
})

it('does not let an administrator token be limited to a folder', async () => {
  const dialog = await openDialog()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Administrator' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Folder').disabled).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
})

it('revokes a token after a confirmation', async () => {
  await userEvent.click(within(await card()).getByRole('button', { name: 'Revoke nightly' }))
  const question = within(await screen.findByRole('alertdialog'))
  await userEvent.click(question.getByRole('button', { name: 'Revoke' }))
  await waitFor(async () => expect(await savedTokens()).toEqual([]))
  expect(await within(await card()).findByText('You have no tokens yet.')).toBeTruthy()
})
