import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'docs/inside.txt': '', 'notes.txt': '' }
const COMMANDS = ['ls', 'pwd', 'printf', 'sleep', 'sh']

describe('the terminal', () => {
  it('runs commands in the open folder, and shows how they ended', async () => {
    await using daemon = await startTestServer({ files: FILES, args: ['--enable-exec'] })
    await allowCommands(daemon)
    await using browser = await openFiles(daemon)
    const { page } = browser
    const output = await openTerminal(page)
    await run(page, 'ls')
    await output.getByText('notes.txt').waitFor()
    await run(page, "printf '\\033[31mred\\033[0m line'")
    await output.getByText('red', { exact: true }).waitFor()
    await run(page, "sh -c 'exit 7'")
    await output.getByText('Exit code 7').waitFor()
    await run(page, 'rm notes.txt')
    await output.getByText('Command not allowed.').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await field(page).inputValue()).toBe("sh -c 'exit 7'")
    await entryOf(page, 'docs').dblclick()
    await entryOf(page, 'inside.txt').waitFor()
    await run(page, 'pwd')
    await output.getByText(`${daemon.root}/docs`, { exact: true }).waitFor()
    await run(page, 'clear')
    await expect.poll(async () => await output.innerText()).toBe('')
    await run(page, 'exit')
    await output.waitFor({ state: 'detached' })
  })

  it('stops a command with Ctrl+C and with its button, and keeps the focus in the field', async () => {
    await using daemon = await startTestServer({ files: FILES, args: ['--enable-exec'] })
    await allowCommands(daemon)
    await using browser = await openFiles(daemon)
    const { page } = browser
    const output = await openTerminal(page)
    await run(page, 'sleep 600')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.keyboard.press('Control+c')
    await output.getByText('Stopped by SIGINT').waitFor()
    await run(page, "sh -c 'trap : INT; echo deaf; while :; do sleep 1; done'")
    await output.getByText('deaf', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await output.getByText('Stopped', { exact: true }).waitFor()
    await run(page, 'printf ready')
    await output.getByText('ready', { exact: true }).waitFor()
  })

  it('is resized by dragging and by keys, and has no accessibility violations', async () => {
    await using daemon = await startTestServer({ files: FILES, args: ['--enable-exec'] })
    await allowCommands(daemon)
    await using browser = await openFiles(daemon)
    const { page } = browser
    await openTerminal(page)
    await run(page, 'ls')
    const separator = page.getByRole('separator', { name: 'Height of the terminal' })
    const height = async () => Number(await separator.getAttribute('aria-valuenow'))
    expect(await height()).toBe(400)
    await separator.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(height).toBe(432)
    await page.keyboard.press('End')
    await expect.poll(height).toBe(736)
    await field(page).click()
    await separator.focus()
    await page.keyboard.press('Home')
    await expect.poll(height).toBe(96)
    const box = await separator.boundingBox()
    if (box === null) throw new Error('the separator is not to be seen')
    await page.mouse.move(box.x + 200, box.y + 4)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y - 100, { steps: 4 })
    await page.mouse.up()
    await expect.poll(height).toBeGreaterThan(180)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await page.setViewportSize({ width: 400, height: 800 })
    expect(await accessibilityProblems(page)).toEqual([])
    // Nothing floats above the command line: a real click reaches it.
    await page
      .getByRole('region', { name: 'Terminal' })
      .getByRole('textbox')
      .click({ position: { x: 20, y: 10 } })
  })

  it('is hidden if the server runs no commands', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Terminal' }).count()).toBe(0)
  })
})

async function allowCommands(daemon: TestServer): Promise<void> {
  const [{ id } = { id: 0 }] = (await (await daemon.fetch('/api/users')).json()) as { id: number }[]
  const change = {
    what: 'user',
    which: ['commands'],
    current_password: daemon.password,
    data: { id, commands: COMMANDS },
  }
  const answer = await daemon.fetch(`/api/users/${id}`, { method: 'PUT', body: JSON.stringify(change) })
  expect(answer.status).toBe(200)
}

async function openTerminal(page: Page) {
  await page.getByRole('button', { name: 'Terminal' }).click()
  await field(page).waitFor()
  return page.getByRole('log', { name: 'Output' })
}

function field(page: Page) {
  return page.getByRole('textbox', { name: /^Command, run in/ })
}

async function run(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await field(page).fill(command)
  await page.keyboard.press('Enter')
}
