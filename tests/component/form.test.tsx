import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage, PATIENCE } from '../helpers/component/page.ts'

let server: TestServer
/** Saving waits for it. */
let mayGoOn: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (init?.method === 'PUT') await mayGoOn
    return await plain(input, init)
  }
  server = await openPage({ files: { 'a.txt': '' } })
  history.pushState({}, '', '/settings/global/branding')
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
}, PATIENCE.timeout)
afterAll(async () => await server[Symbol.asyncDispose]())

const savedName = async (): Promise<string> => {
  const settings = (await (await server.fetch('/api/settings/all')).json()) as { branding: { name: string } }
  return settings.branding.name
}

it('keeps what is typed while it is saved', async () => {
  const name = await screen.findByLabelText<HTMLInputElement>('Name', {}, PATIENCE)
  await userEvent.type(name, 'Mine')
  const { promise, resolve } = Promise.withResolvers<undefined>()
  mayGoOn = promise
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await userEvent.type(name, ' again')
  resolve(undefined)
  await waitFor(async () => expect(await savedName()).toBe('Mine'), PATIENCE)
  await screen.findByText('Settings saved', { exact: false }, PATIENCE)
  expect(name.value).toBe('Mine again')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect(await savedName()).toBe('Mine again'), PATIENCE)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull(), PATIENCE)
})
