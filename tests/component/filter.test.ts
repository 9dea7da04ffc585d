import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOf, focusedEntry, goTo, openPage, shownEntries } from '../helpers/component/page.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await openPage({
    files: {
      'filter/beta.txt': '',
      'filter/Älpha.txt': '',
      [`names/${'테스트'.normalize('NFD')}.txt`]: '',
      'names/zoo.txt': '',
      'names/Température.txt': '',
      'names/Tee.txt': '',
    },
  })
})
afterAll(async () => await server[Symbol.asyncDispose]())

describe('the filter of a folder', () => {
  it('opens with "/", focuses the matching entry after Enter, and shows everything again after Escape', async () => {
    const user = userEvent.setup()
    await goTo('filter', 'beta.txt')
    await user.click(await entryOf('beta.txt'))
    await user.keyboard('/')
    const field = await screen.findByRole('textbox', { name: 'Filter by name' })
    await user.type(field, 'äL')
    await waitFor(() => expect(shownEntries()).toEqual(['Älpha.txt']))
    await user.type(field, '{Enter}')
    await waitFor(() => expect(focusedEntry()).toBe('Älpha.txt'))
    await user.type(field, 'nothing like it')
    await screen.findByText('No matches')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(shownEntries()).toHaveLength(2))
  })

  it('and the keys find names with whatever accents and in any Unicode form, in the order of their letters', async () => {
    const user = userEvent.setup()
    await goTo('names', 'zoo.txt')
    const korean = `${'테스트'.normalize('NFD')}.txt`
    expect(shownEntries()).toEqual(['Tee.txt', 'Température.txt', 'zoo.txt', korean])
    await user.click(await entryOf('zoo.txt'))
    await user.keyboard('TEMPE')
    await waitFor(() => expect(focusedEntry()).toBe('Température.txt'))
    await user.keyboard('/')
    const field = await screen.findByRole('textbox', { name: 'Filter by name' })
    await user.type(field, '테스')
    await waitFor(() => expect(shownEntries()).toEqual([korean]))
    await user.clear(field)
    await user.type(field, 'temperature')
    await waitFor(() => expect(shownEntries()).toEqual(['Température.txt']))
  })
})
