import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/domain/server/audit.ts'
import type { HookList } from '../../../src/domain/automation/hook.ts'
import { signIn } from '../../helpers/browser/pages/files-page.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import {
  administer,
  administerInFile,
  openActivity,
  openSection,
  saveSettings,
  sectionOf,
} from '../../helpers/browser/pages/settings-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { confirm } from '../../helpers/browser/pages/confirmation.ts'

/** Tests run in parallel, so each may be slow. */

interface Sample {
  readonly section: string
  readonly label: string
  readonly key: string
  /** The values entered in the page and at the command line. */
  readonly byPage: string
  readonly byCommand: string
}

/** One text setting of each group. */
const SAMPLES: readonly Sample[] = [
  {
    section: 'Accounts',
    label: 'Minimum password length',
    key: 'minimumPasswordLength',
    byPage: '15',
    byCommand: '16',
  },
  { section: 'New users', label: 'Scope', key: 'defaults.scope', byPage: '/a', byCommand: '/b' },
  { section: 'Branding', label: 'Name', key: 'branding.name', byPage: 'Mine', byCommand: 'Theirs' },
  { section: 'Uploads', label: 'Retries after a failure', key: 'tus.retryCount', byPage: '7', byCommand: '8' },
  { section: 'Files', label: 'Days in trash', key: 'trash.days', byPage: '6', byCommand: '9' },
  { section: 'Sessions', label: 'Page after signing out', key: 'logoutPage', byPage: '/bye', byCommand: '/files' },
  { section: 'Hooks', label: 'Shell', key: 'shell', byPage: '/bin/sh', byCommand: '/bin/bash' },
]

const fieldOf = (page: Page, { section, label }: Pick<Sample, 'section' | 'label'>) =>
  sectionOf(page, section).getByLabel(label, { exact: true })

const open = administerInFile({ args: ['--enable-exec'] })

describe('the command line and the page, without a reload', () => {
  it('change settings of every group, server options and the sign-in method', async () => {
    await using admin = await open()
    const { page, cli, daemon } = admin
    for (const sample of SAMPLES) {
      const { section, key, byPage, byCommand } = sample
      await openSection(page, section)
      await fieldOf(page, sample).fill(byPage)
      await saveSettings(page)
      expect(await cli('settings', 'get', key)).toBe(byPage)
      await cli('settings', 'set', `${key}=${byCommand}`)
      await expect.poll(async () => await fieldOf(page, sample).inputValue()).toBe(byCommand)
    }

    await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
    const captcha = { section: 'Sign-in without a provider', label: 'Captcha site key' }
    await cli('settings', 'set', 'recaptcha.key=ours', 'recaptcha.secret=secret')
    await expect.poll(async () => await fieldOf(page, captcha).inputValue()).toBe('ours')
    await fieldOf(page, captcha).fill('another')
    await sectionOf(page, captcha.section).getByRole('button', { name: 'Save' }).click()
    await confirm(page, daemon.password, 'Save')
    await expect.poll(async () => await cli('settings', 'get', 'recaptcha.key')).toBe('another')
    await cli('settings', 'set', 'recaptcha.key=', 'recaptcha.secret=')
    await expect.poll(async () => await fieldOf(page, captcha).inputValue()).toBe('')

    await page.getByRole('link', { name: 'Global', exact: true }).click()
    await openSection(page, 'Server')
    const life = { section: 'Server', label: 'Token lifetime' }
    await cli('server', 'set', 'tokenExpirationTime=3h')
    await expect.poll(async () => await fieldOf(page, life).inputValue()).toBe('3h')
    await fieldOf(page, life).fill('4h')
    await sectionOf(page, 'Server').getByRole('button', { name: 'Save' }).click()
    await confirm(page, daemon.password, 'Save')
    await toastOf(page, 'Saved. Changes take effect after a restart.').waitFor()
    expect(await cli('status')).toMatch(/tokenExpirationTime.*4h/)
    await cli('server', 'unset', 'tokenExpirationTime')
    await expect.poll(async () => await fieldOf(page, life).inputValue()).toBe('2h')
  })

  it('add, change, order, switch and remove hook commands, and record who did it', async () => {
    await using admin = await open()
    const { page, cli } = admin
    const hooks = async () => (JSON.parse(await cli('hooks', 'ls', '--json')) as HookList).hooks
    const idOf = async (line: string) => (await hooks()).find((hook) => hook.line === line)?.id ?? ''
    const group = (await openSection(page, 'Hooks')).getByRole('group', { name: 'Before deleting' })
    const lines = async () => await group.getByRole('listitem').locator('code').allInnerTexts()
    for (const word of ['one', 'two', 'three']) await cli('hooks', 'add', 'before_delete', '--', 'echo', word)
    await expect.poll(lines).toEqual(['echo one', 'echo two', 'echo three'])
    await cli('hooks', 'set', await idOf('echo three'), '--place', '0', '--timeout', '9s', '--on-failure', 'ignore')
    await expect.poll(lines).toEqual(['echo three', 'echo one', 'echo two'])
    await group.getByText('at most 9 seconds · failures are ignored').waitFor()
    const first = group.getByRole('switch', { name: 'Enable echo one', exact: true })
    await cli('hooks', 'disable', await idOf('echo one'))
    await expect.poll(async () => await first.isChecked()).toBe(false)
    await first.click()
    await expect.poll(async () => (await hooks()).every(({ enabled }) => enabled)).toBe(true)
    expect(await lines()).toEqual(['echo three', 'echo one', 'echo two'])
    await cli('hooks', 'rm', await idOf('echo two'), '--yes')
    await expect.poll(lines).toEqual(['echo three', 'echo one'])
    await group.getByRole('button', { name: 'Remove echo three' }).click()
    await toastOf(page, 'Command removed').waitFor()
    expect((await hooks()).map(({ line }) => line)).toEqual(['echo one'])

    const log = await openActivity(page)
    await log
      .getByRole('row', { name: /operator.*hooks\.change/ })
      .first()
      .waitFor()
    await log.getByRole('row', { name: /admin.*hooks\.remove/ }).waitFor()
    const found = await cli('logs', '--audit', '--json', '--action', 'hooks.remove')
    const printed = found.trim().split('\n')
    expect(printed.map((line) => (JSON.parse(line) as AuditEntry).who)).toEqual(['operator', 'admin'])
  })

  it('add and remove branding files, and clear the cache', async () => {
    await using admin = await open({ files: { 'a.png': await quarters(800, 600).png().toBuffer() } })
    const { page, cli, daemon } = admin
    await using folder = await tempFolder()
    const styles = folder.at('custom.css')
    await writeFile(styles, 'body {}')
    const shown = (await openSection(page, 'Branding')).getByRole('listitem').filter({ hasText: 'custom.css' })
    await cli('branding', 'add', styles)
    await shown.waitFor()
    await shown.getByRole('button', { name: 'Remove custom.css' }).click()
    await shown.waitFor({ state: 'detached' })
    expect(await cli('branding', 'ls', '--quiet')).not.toContain('custom.css')
    await cli('branding', 'add', styles)
    await shown.waitFor()
    await cli('branding', 'rm', 'custom.css', '--yes')
    await shown.waitFor({ state: 'detached' })

    const cache = await openSection(page, 'Cache')
    const kept = async () => (JSON.parse(await cli('cache', 'show', '--json')) as { entries: number }).entries
    const keepOne = async () => {
      expect((await (await daemon.fetch('/api/preview/thumb/a.png')).bytes()).length).toBeGreaterThan(0)
      await expect.poll(kept).toBe(1)
      await cache.getByText('1 thumbnail').waitFor()
    }
    await keepOne()
    await cli('cache', 'clear')
    await cache.getByText('The cache is empty.').waitFor()
    await keepOne()
    await cache.getByRole('button', { name: 'Clear' }).click()
    await cache.getByText('The cache is empty.').waitFor()
    expect(await kept()).toBe(0)
  })

  it("restore each other's backups", async () => {
    await using admin = await administer({}, { expectedStatuses: [401] })
    const { page, cli, daemon } = admin
    await using folder = await tempFolder()
    const [byCommand, byPage] = [folder.at('command.tar'), folder.at('page.tar')]
    const name = { section: 'Branding', label: 'Name' }
    await openSection(page, 'Branding')
    await cli('settings', 'set', 'branding.name=Before')
    await expect.poll(async () => await fieldOf(page, name).inputValue()).toBe('Before')
    await cli('backup', 'create', byCommand)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await (await openSection(page, 'Backup')).getByRole('button', { name: 'Download a backup' }).click()
        await confirm(page, daemon.password, 'Download a backup')
      })(),
    ])
    await download.saveAs(byPage)

    await openSection(page, 'Branding')
    await cli('settings', 'set', 'branding.name=After')
    await expect.poll(async () => await fieldOf(page, name).inputValue()).toBe('After')
    await cli('restore', byPage, '--yes')
    // All users must sign in again.
    await page.getByRole('textbox', { name: 'Username' }).waitFor()
    await signIn(page, daemon.username, daemon.password)
    await expect.poll(async () => await fieldOf(page, name).inputValue()).toBe('Before')

    await cli('settings', 'set', 'branding.name=After')
    const backup = await openSection(page, 'Backup')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      backup.getByRole('button', { name: 'Choose a backup' }).click(),
    ])
    await chooser.setFiles(byCommand)
    await confirm(page, daemon.password, 'Show contents')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace everything' }).click()
    await page.getByRole('textbox', { name: 'Username' }).waitFor()
    expect(await cli('settings', 'get', 'branding.name')).toBe('Before')
  })
})
