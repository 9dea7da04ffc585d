import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { HookList } from '../../../src/domain/automation/hook.ts'
import type { Webhook } from '../../../src/domain/automation/webhook.ts'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { signIn } from '../../helpers/browser/pages/files-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { isSignedWith, webhookReceiver } from '../../helpers/webhook-receiver.ts'
import {
  administer,
  administerInFile,
  openActivity,
  openSection,
  sectionOf,
} from '../../helpers/browser/pages/settings-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { signInElsewhere } from '../../helpers/browser/sessions.ts'
import { confirm, whenConfirmed } from '../../helpers/browser/pages/confirmation.ts'

/** Tests run in parallel, so each may be slow. */

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>'

const open = administerInFile()

describe('the administration', () => {
  it('adds, tests, orders and switches off hook commands, and the command line sees them', async () => {
    await using admin = await administer({ args: ['--enable-exec'] }, { expectedStatuses: [400] })
    const { page, cli } = admin
    const section = await openSection(page, 'Hooks')
    const add = async (line: string, event = 'Before an upload') => {
      await section.getByLabel('Event').selectOption({ label: event })
      await section.getByLabel('Command', { exact: true }).fill(line)
      await section.getByRole('button', { name: 'Add' }).click()
    }
    await add('echo a | tee b')
    await section.getByRole('alert').getByText('needs a shell').waitFor()
    const limit = section.getByRole('form', { name: 'New command' }).getByLabel('Output limit')
    const usual = await limit.inputValue()
    await limit.fill('much')
    await add('echo first $FILE')
    await section.getByRole('alert').getByText('Enter a size such as 10 MiB.').waitFor()
    await limit.fill(usual)
    await add('echo first $FILE')
    const group = section.getByRole('group', { name: 'Before an upload' })
    await group.getByText('echo first $FILE').waitFor()
    await add('echo second')
    await group.getByText('echo second').waitFor()
    const first = group.getByRole('listitem').filter({ hasText: 'echo first' })
    await first.getByRole('button', { name: 'Test' }).click()
    await first.getByText('Exit code 0').waitFor()
    await first.getByText(/first .*sample\.txt/).waitFor()
    const label = 'Edit echo first $FILE'
    await first.getByRole('button', { name: label }).click()
    const editor = first.getByRole('form', { name: label })
    await editor.getByLabel('Time limit').fill('0')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').waitFor()
    await editor.getByLabel('Time limit').fill('9')
    await editor.getByLabel('Output limit').fill('64 k')
    await editor.getByLabel('If it fails').selectOption({ label: 'Continue' })
    expect(await accessibilityProblems(page)).toEqual([])
    await editor.getByRole('button', { name: 'Save' }).click()
    await first.getByText('at most 9 seconds · failures are ignored').waitFor()
    expect((JSON.parse(await cli('hooks', 'ls', '--json')) as HookList).hooks).toMatchObject([
      { line: 'echo first $FILE', timeout: 9, outputLimit: 65_536, onFailure: 'ignore' },
      { line: 'echo second', timeout: 60 },
    ])
    await group.getByRole('button', { name: 'Move echo second up' }).click()
    const lines = async () =>
      (JSON.parse(await cli('hooks', 'ls', '--json')) as HookList).hooks.map(
        ({ line, enabled }) => `${line} ${enabled}`,
      )
    await expect.poll(lines).toEqual(['echo second true', 'echo first $FILE true'])
    // Not "uncheck", which would check the result before the page has re-rendered.
    await group.getByRole('switch', { name: 'Enable echo second', exact: true }).click()
    await expect.poll(async () => (await lines()).toSorted()).toEqual(['echo first $FILE true', 'echo second false'])
    await group.getByRole('button', { name: 'Remove echo first $FILE' }).click()
    await expect.poll(lines).toEqual(['echo second false'])
    await cli('hooks', 'add', 'after_delete', '--', 'true')
    await section.getByRole('group', { name: 'After deleting' }).getByText('true').waitFor()
  })

  it('adds, tests, changes and removes webhooks, and shows a secret once', async () => {
    await using receiver = await webhookReceiver(204, 500)
    const args = ['--webhook-hosts', receiver.host]
    await using admin = await administer({ args }, { expectedStatuses: [400] })
    const { page, cli } = admin
    const listed = async () => JSON.parse(await cli('webhooks', 'ls', '--json')) as Webhook[]
    const section = await openSection(page, 'Webhooks')
    const add = async (url: string) => {
      await section.getByLabel('Address').fill(url)
      await section.getByRole('button', { name: 'Add' }).click()
    }
    await add('http://192.168.1.5/')
    await section.getByRole('alert').getByText('is a private address').waitFor()
    await section.getByLabel('Name (optional)').fill('Index')
    await section.getByLabel('After saving').uncheck()
    await add(receiver.url)
    const secret = await section.getByRole('textbox', { name: 'Secret' }).inputValue()
    const row = section.getByRole('listitem').filter({ hasText: 'Index' })
    await row.getByRole('button', { name: 'Test' }).click()
    await row.getByText('Accepted (204)').waitFor()
    expect(receiver.messages.map((message) => isSignedWith(secret, message))).toEqual([true])
    await row.getByRole('button', { name: 'Test' }).click()
    await row.getByText('Rejected (500)').waitFor()
    const editor = row.getByRole('form', { name: 'Edit Index' })
    await row.getByRole('button', { name: 'Edit Index' }).click()
    await editor.getByLabel('Name (optional)').fill('')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(listed)
      .toMatchObject([
        { name: '', url: receiver.url, events: ['after_copy', 'after_rename', 'after_upload', 'after_delete'] },
      ])
    await section.getByRole('button', { name: `Remove ${receiver.url}` }).click()
    await toastOf(page, 'Webhook removed').waitFor()
    expect(await listed()).toEqual([])
  })

  it('changes the sign-in method, and rejects one that would lock the administrator out', async () => {
    await using admin = await open({ expectedStatuses: [400] })
    const { page, cli, daemon } = admin
    await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
    const section = sectionOf(page, 'Sign-in without a provider')
    await section.getByLabel('Captcha site key').fill('site')
    await section.getByLabel('Captcha secret').fill('secret')
    await section.getByRole('button', { name: 'Save' }).click()
    await confirm(page, 'not it', 'Save')
    await page.getByRole('dialog').getByRole('alert').getByText('This is not your current password.').waitFor()
    await confirm(page, daemon.password, 'Save')
    await section.getByText('A secret is saved.').waitFor()
    expect(await section.getByLabel('Captcha secret').inputValue()).toBe('')
    expect(await cli('settings', 'get', 'recaptcha.key')).toBe('site')
    await section.getByRole('button', { name: 'Remove the captcha' }).click()
    await confirm(page, daemon.password, 'Save')
    await whenConfirmed(page)
    await section.getByRole('button', { name: 'Remove the captcha' }).waitFor({ state: 'detached' })
    await expect.poll(async () => await cli('settings', 'get', 'recaptcha.key')).toBe('')
    await section.getByLabel('Sign-in method').selectOption({ label: 'Reverse proxy' })
    await section.getByLabel('Header with the username').fill('X-Forwarded-User')
    await section.getByRole('button', { name: 'Save' }).click()
    await confirm(page, daemon.password, 'Save')
    await page.getByRole('alert').filter({ hasText: 'prox' }).first().waitFor()
    expect(await cli('settings', 'get', 'authMethod')).toBe('json')
    await section.getByLabel('Sign-in method').selectOption({ label: 'External program' })
    expect(await section.getByLabel('Sign-in program').isDisabled()).toBe(true)
    await section.getByText('A program can only be set on the server’s command line').first().waitFor()
    await section.getByRole('button', { name: 'Discard' }).click()
  })

  it('saves server options, and shows which are set elsewhere and which need a restart', async () => {
    await using admin = await open({ expectedStatuses: [400] })
    const { page, cli, daemon } = admin
    const section = await openSection(page, 'Server')
    const port = section.getByLabel('Port')
    expect(await port.isDisabled()).toBe(true)
    await section.getByText('Set by a flag').first().waitFor()
    expect(await section.getByLabel('Terminal and hooks').isDisabled()).toBe(true)
    await section.getByLabel('Token lifetime').fill('30m')
    await section.getByLabel('Read-only').check()
    await section.getByRole('button', { name: 'Save' }).click()
    await confirm(page, daemon.password, 'Save')
    await toastOf(page, 'Saved. Changes take effect after a restart.').waitFor()
    await section.getByText('Current value: 2h').waitFor()
    expect(await cli('status')).toMatch(/tokenExpirationTime.*30m/)
    await cli('server', 'set', 'tokenExpirationTime=3h')
    await expect.poll(async () => await section.getByLabel('Token lifetime').inputValue()).toBe('3h')
    await section.getByLabel('Log', { exact: true }).fill('/etc/passwd')
    await section.getByRole('button', { name: 'Save' }).click()
    await confirm(page, daemon.password, 'Save')
    await section.getByRole('alert').getByText('a file that ends in .log').waitFor()
  })

  it('uploads a logo, and shows and exports the activity log', async () => {
    await using admin = await open()
    const { page, daemon } = admin
    const branding = await openSection(page, 'Branding')
    await choose(page, 'Upload a logo', { name: 'anything.svg', text: LOGO })
    await branding.getByRole('listitem').filter({ hasText: 'logo.svg' }).waitFor()
    await choose(page, 'Upload files', { name: 'custom.css', text: 'body{}' })
    await branding.getByRole('listitem').filter({ hasText: 'custom.css' }).waitFor()
    expect(await (await daemon.fetch('/static/img/logo.svg')).text()).toBe(LOGO)
    await branding.getByRole('button', { name: 'Remove custom.css' }).click()
    await branding.getByRole('listitem').filter({ hasText: 'custom.css' }).waitFor({ state: 'detached' })
    await signInElsewhere(daemon)
    const audit = await openActivity(page)
    await audit.getByRole('button', { name: 'Refresh' }).click()
    await audit.getByRole('row', { name: /branding\.remove/ }).waitFor()
    await audit.getByLabel('Action').selectOption({ label: 'Sign-in' })
    await audit
      .getByRole('row', { name: /auth\.login/ })
      .first()
      .waitFor()
    await audit
      .getByRole('row', { name: /branding/ })
      .first()
      .waitFor({ state: 'detached' })
    await audit.getByLabel('Action').selectOption({ label: 'All' })
    await audit.getByLabel('Target').fill('CUSTOM')
    await audit.getByRole('row', { name: /branding\.remove/ }).waitFor()
    await audit.getByRole('row', { name: /logo\.svg/ }).waitFor({ state: 'detached' })
    await audit.getByLabel('Outcome').selectOption({ label: 'Denied' })
    await audit.getByText('No matching entries').waitFor()
    await audit.getByLabel('Outcome').selectOption({ label: 'All' })
    await audit.getByLabel('Target').fill('')
    await audit.getByLabel('Action').selectOption({ label: 'Sign-in' })
    await audit.getByLabel('User', { exact: true }).fill('nobody')
    await audit.getByText('No matching entries').waitFor()
    await audit.getByLabel('User', { exact: true }).fill('')
    await audit
      .getByRole('row', { name: /auth\.login/ })
      .first()
      .waitFor()
    await using folder = await tempFolder()
    const exported = async (format: string) => {
      const button = audit.getByRole('button', { name: `Export as ${format}` })
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
      await download.saveAs(folder.at(format))
      return await readFile(folder.at(format), 'utf8')
    }
    expect(await exported('CSV')).toMatch(/^time,who,action,.*\r\n.*,auth\.login,/)
    expect(await exported('JSON')).toMatch(/^\{"time":"[^\n]*"action":"auth\.login"[^\n]*\}\n/)
  })

  it('creates and restores a backup', async () => {
    await using admin = await administer({}, { expectedStatuses: [400, 401] })
    const { page, cli, daemon } = admin
    const section = await openSection(page, 'Backup')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await section.getByRole('button', { name: 'Download a backup' }).click()
        await confirm(page, daemon.password, 'Download a backup')
      })(),
    ])
    await using folder = await tempFolder()
    const backup = folder.at('backup.tar')
    await download.saveAs(backup)
    await cli('settings', 'set', 'branding.name=Changed')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      section.getByRole('button', { name: 'Choose a backup' }).click(),
    ])
    await chooser.setFiles(backup)
    await confirm(page, daemon.password, 'Show contents')
    const question = page.getByRole('alertdialog', { name: 'Restore a backup' })
    await question.getByRole('row', { name: 'Users 1 1' }).waitFor()
    await question.getByRole('button', { name: 'Replace everything' }).click()
    await page.getByRole('textbox', { name: 'Username' }).waitFor()
    expect(await cli('settings', 'get', 'branding.name')).toBe('')
    await signIn(page, daemon.username, daemon.password)
    await sectionOf(page, 'Backup').waitFor()
  })
})

async function choose(page: Page, button: string, { name, text }: { name: string; text: string }): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
}
