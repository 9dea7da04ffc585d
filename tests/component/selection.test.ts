import { waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { entryOf, focusedEntry, goTo, openPage, selectedEntries, showAs } from '../helpers/component/page.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'

const NAMES = ['alpha.txt', 'beta.txt', 'gamma.txt', 'garden.txt', 'zeta.txt']

let server: TestServer

beforeAll(async () => {
  const files = NAMES.map((name) => [`keys/${name}`, ''])
  server = await openPage({
    files: { 'keys/music/song.txt': '', ...(Object.fromEntries(files) as Record<string, string>) },
  })
})
afterAll(async () => await server[Symbol.asyncDispose]())

describe('the selection', () => {
  it('grows and shrinks by keys, and a typed letter finds a name', async () => {
    const user = userEvent.setup()
    await goTo('keys', 'music')
    await showAs('List')
    const music = await entryOf('music')
    music.focus()
    await user.keyboard('{ArrowDown}{Control>} {/Control}{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}')
    await waitFor(() => expect(selectedEntries()).toEqual(NAMES.slice(0, 4)))
    await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}')
    await waitFor(() => expect(selectedEntries()).toEqual(NAMES.slice(0, 2)))
    await user.keyboard('{Shift>}{End}{/Shift}')
    await waitFor(() => expect(selectedEntries()).toEqual(NAMES))
    await user.keyboard('{Shift>}{Home}{/Shift}')
    await waitFor(() => expect(selectedEntries()).toEqual(['music', 'alpha.txt']))
    await user.keyboard('{Escape}{End}')
    await waitFor(() => expect(focusedEntry()).toBe('zeta.txt'))
    await user.keyboard('{Home}')
    await waitFor(() => expect(focusedEntry()).toBe('music'))
    await user.keyboard('g{ArrowDown}')
    await waitFor(() => expect(focusedEntry()).toBe('garden.txt'))
    expect(selectedEntries()).toEqual([])
  })
})
