import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, goTo, openPage } from '../helpers/component/page.ts'

const NAMES = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(2, '0')}.txt`)

let server: TestServer

beforeAll(async () => {
  server = await openPage({ files: Object.fromEntries(NAMES.map((name) => [`many/${name}`, name])) })
})
afterAll(async () => await server[Symbol.asyncDispose]())

const names = async () => (await readdir(join(server.root, 'many'))).toSorted()

it('deletes all selected entries with one request, says so once, and undoes it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  await goTo('many', '00.txt')
  ;(await entryOf('00.txt')).focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  await waitFor(async () => expect(await names()).toEqual([]))
  const toasts = within(await screen.findByRole('region', { name: /Notifications/ }))
  expect(await toasts.findAllByRole('button', { name: /Undo/ })).toHaveLength(1)
  const sent = fetched.mock.calls.filter(([, init]) => init?.method === 'POST' || init?.method === 'DELETE')
  const addresses = sent.map(([address]) => address as string)
  const changing = new Set(addresses.filter((address) => /changes|resources/.test(address)))
  expect([...changing]).toEqual([expect.stringContaining('/api/changes/')])
  fetched.mockRestore()
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await names()).toEqual(NAMES))
})
