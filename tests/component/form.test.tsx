import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage } from '../helpers/component/page.ts'

let server: TestServer
/** Requests that save wait for this promise. */
let savingMayContinue: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (init?.method === 'PUT') await savingMayContinue
    return await plain(input, init)
  }
  server = await openPage({ files: { 'a.txt': '' } })
})
afterAll(async () => await server[Symbol.asyncDispose]())

const open = (path: string): void => {
  history.pushState({}, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
}
const read = async <Value,>(path: string): Promise<Value> => (await (await server.fetch(path)).json()) as Value
const save = async (): Promise<void> => await userEvent.click(screen.getByRole('button', { name: 'Save' }))
/** Runs `edit` while the form is being saved. */
const saveDuring = async (edit: () => Promise<void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  savingMayContinue = promise
  await save()
  await edit()
  resolve(undefined)
}
const hasNothingToSave = async (): Promise<void> =>
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())

describe('edits made while a form is being saved are kept', () => {
  it('in the settings', async () => {
    const savedName = async () => (await read<{ branding: { name: string } }>('/api/settings/all')).branding.name
    open('/settings/global/branding')
    const name = await screen.findByLabelText<HTMLInputElement>('Name')
    await userEvent.type(name, 'Mine')
    await saveDuring(async () => await userEvent.type(name, ' again'))
    await waitFor(async () => expect(await savedName()).toBe('Mine'))
    await screen.findByText('Settings saved', { exact: false })
    expect(name.value).toBe('Mine again')
    await save()
    await waitFor(async () => expect(await savedName()).toBe('Mine again'))
    await hasNothingToSave()
  })

  it('in an account', async () => {
    const savedUser = async () => await read<{ hideDotfiles: boolean; singleClick: boolean }>('/api/users/1')
    open('/settings/users/1')
    await userEvent.click(await screen.findByLabelText('Do not show hidden files'))
    const singleClick = screen.getByLabelText<HTMLInputElement>('Open with a single click')
    await saveDuring(async () => await userEvent.click(singleClick))
    await waitFor(async () => expect(await savedUser()).toMatchObject({ hideDotfiles: true, singleClick: false }))
    await screen.findByText('User updated', { exact: false })
    expect(singleClick.checked).toBe(true)
    await save()
    await waitFor(async () => expect(await savedUser()).toMatchObject({ singleClick: true }))
    await hasNothingToSave()
  })
})
