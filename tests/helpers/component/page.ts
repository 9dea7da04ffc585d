import { join } from 'node:path'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { startTestServer, type TestServer, type TestServerOptions } from '../browser/test-server.ts'
import { dom } from './document.ts'

/**
 * Starts the whole page, signed in, with a real server in the same process: no browser, no mocks. Once per test file, because
 * modules are loaded once; each test opens its own folder with `goTo`.
 */
export async function openPage(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  dom.reconfigure({ url: new URL('files/', server.url).href })
  localStorage.setItem('filemgr:token:', server.token)
  const html = await (await fetch(server.url)).text()
  const config = /<script[^>]*id="filemgr-config"[^>]*>([^<]*)/.exec(html)?.[1] ?? '{}'
  document.body.innerHTML = `<script type="application/json" id="filemgr-config">${config}</script><div id="app"></div>`
  resolveAddresses(server.url)
  // A computed path, since the page has its own compiler configuration.
  await import(join(import.meta.dirname, '../../../ui/src/main.tsx'))
  await screen.findByRole('grid', { name: 'Files' })
  return server
}

/** Navigates to a folder, like the Back button, and waits for an entry in it. */
export async function goTo(folder: string, entry: string): Promise<void> {
  history.pushState({}, '', `/files/${folder}/`)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  await entryOf(entry)
}

/** The row or tile of an entry, once it is there. */
export async function entryOf(name: string): Promise<HTMLElement> {
  return await waitFor(() => {
    const found = entries().find((entry) => entry.dataset['entry'] === name)
    if (found === undefined) throw new Error(`there is no "${name}"`)
    return found
  })
}

/** Chooses a view of the list, such as "Mosaic". */
export async function showAs(view: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: view }))
  await screen.findByRole('button', { name: view, pressed: true })
}

export function shownEntries(): (string | undefined)[] {
  return entries().map(({ dataset }) => dataset['entry'])
}

export function selectedEntries(): (string | undefined)[] {
  return entries()
    .filter((entry) => entry.getAttribute('aria-selected') === 'true')
    .map(({ dataset }) => dataset['entry'])
}

export function focusedEntry(): string | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset['entry'] : undefined
}

/** Not `getByRole`, which is slow in jsdom: this is asked after every change of the document. */
function entries(): HTMLElement[] {
  const grids = [...document.querySelectorAll('[role="grid"][aria-label="Files"]')]
  // Dialogs hide everything else.
  const shown = grids.find((grid) => grid.closest('[aria-hidden="true"], [hidden]') === null)
  if (shown === undefined) throw new Error('no list of files is shown')
  return [...shown.querySelectorAll<HTMLElement>('[data-entry]')]
}

/** Node's fetch resolves no relative addresses, but the page fetches its texts relative to its scripts (here: files). */
function resolveAddresses(origin: string): void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const given = input instanceof Request ? input.url : String(input)
    const text = /^file:.*\/(texts\/.*)$/.exec(given)?.[1]
    return await plain(text === undefined ? new URL(given, origin) : new URL(`static/${text}`, origin), init)
  }
}
