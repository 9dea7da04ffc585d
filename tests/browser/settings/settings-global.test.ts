import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { goWithin } from '../../helpers/browser/go-within.ts'
import {
  administer,
  administerInFile,
  openSection,
  saveSettings,
  sectionOf,
} from '../../helpers/browser/pages/settings-page.ts'

/** Tests run in parallel, so each may be slow. */

const ALL = ['New users', 'Branding', 'Uploads', 'Rules', 'Files', 'Hooks', 'Sessions', 'Server', 'Cache']

const open = administerInFile()

describe('the global settings', () => {
  it('are the same in the page and at the command line, in both directions', async () => {
    await using admin = await open()
    const { page, cli } = admin
    await page.getByLabel('Allow sign-up').check()
    await page.getByLabel('Minimum password length').fill('15')
    await page.getByText('2 unsaved changes').waitFor()
    await saveSettings(page)
    expect(await cli('settings', 'get', 'signup')).toBe('true')
    expect(await cli('settings', 'get', 'minimumPasswordLength')).toBe('15')
    await cli('settings', 'set', 'minimumPasswordLength=16', 'signup=false')
    await hasValue(page.getByLabel('Minimum password length'), '16')
    await expect.poll(async () => await page.getByLabel('Allow sign-up').isChecked()).toBe(false)
  })

  it('keep changes that someone else saved meanwhile, and ask about conflicting values', async () => {
    await using admin = await open({ expectedStatuses: [412] })
    const { page, cli } = admin
    const name = page.getByLabel('Name', { exact: true })
    await openSection(page, 'Branding')
    await page.getByRole('textbox', { name: 'Accent colour' }).fill('#2979ff')
    await cli('settings', 'set', 'branding.name=Theirs')
    await saveSettings(page)
    await hasValue(name, 'Theirs')
    expect(await cli('settings', 'get', 'branding.color')).toBe('#2979ff')
    await name.fill('Mine')
    await cli('settings', 'set', 'branding.name=Others')
    const save = page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' })
    await save.click()
    const question = page.getByRole('alertdialog', { name: 'Someone else saved changes first' })
    await question.getByRole('row', { name: 'Name Mine Others' }).waitFor()
    await question.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(async () => await cli('settings', 'get', 'branding.name')).toBe('Mine')
    await name.fill('Again mine')
    await cli('settings', 'set', 'branding.name=Last')
    await save.click()
    await question.getByRole('button', { name: 'Use theirs' }).click()
    await hasValue(name, 'Last')
    expect(await cli('settings', 'get', 'branding.name')).toBe('Last')
  })

  it('show errors at the field, and ask before unsaved changes are lost', async () => {
    await using admin = await open({ files: { 'a.txt': '' }, expectedStatuses: [400] })
    const { page, cli } = admin
    const save = page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' })
    await openSection(page, 'Branding')
    await page.getByRole('textbox', { name: 'Accent colour' }).fill('blue')
    await sectionOf(page, 'Branding').getByRole('alert').getByText('Enter something like #2979ff.').waitFor()
    await save.click()
    expect(await cli('settings', 'get', 'branding.color')).toBe('')
    await page.getByRole('textbox', { name: 'Accent colour' }).fill('#2979ff')
    // Sections are separate pages, so leaving one also asks about unsaved changes.
    const question = page.getByRole('alertdialog', { name: 'Save your changes?' })
    await page.getByRole('link', { name: 'Sessions' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Page after signing out').fill('javascript:alert(1)')
    await save.click()
    await sectionOf(page, 'Sessions').getByRole('alert').getByText('must be a path such as /login').waitFor()
    await page.getByLabel('Page after signing out').fill('/bye')
    await page.getByRole('link', { name: 'My files' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(new URL(page.url()).pathname).toBe('/settings/global/sessions')
    await page.getByRole('link', { name: 'My files' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('grid', { name: 'Files' }).waitFor()
    expect(await cli('settings', 'get', 'branding.color')).toBe('#2979ff')
    expect(await cli('settings', 'get', 'logoutPage')).toBe('/bye')
  })

  it('accept sizes with units, pick folders from a tree, and give administrators all permissions', async () => {
    await using admin = await open({ files: { 'team/plan.txt': '' } })
    const { page, cli } = admin
    await openSection(page, 'Uploads')
    const size = page.getByLabel('Chunk size')
    await size.fill('1.5 m')
    await page.getByText('1,572,864 bytes').waitFor()
    await hasValue(size, '1536 KiB')
    await size.fill('as you like')
    await page.getByText('1,048,576 bytes').waitFor()
    await hasValue(size, '1 MiB')
    await size.fill('20MB')
    await saveSettings(page)
    const newUsers = await openSection(page, 'New users')
    expect(await newUsers.getByLabel('Run commands').count()).toBe(0)
    await newUsers.getByRole('switch', { name: 'Share' }).uncheck()
    await newUsers.getByLabel('Administrator').check()
    expect(await newUsers.getByRole('switch', { name: 'Share' }).isChecked()).toBe(true)
    expect(await newUsers.getByRole('switch', { name: 'Share' }).isDisabled()).toBe(true)
    await newUsers.getByRole('button', { name: 'Choose folder' }).click()
    const prompt = page.getByRole('dialog', { name: 'Choose folder' })
    await prompt.getByRole('treeitem', { name: 'team' }).click()
    await prompt.getByRole('button', { name: 'Choose folder' }).click()
    expect(await newUsers.getByLabel('Scope', { exact: true }).inputValue()).toBe('/team')
    await newUsers.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await saveSettings(page)
    expect(await cli('settings', 'get', 'tus.chunkSize')).toBe('20MiB')
    expect(await cli('settings', 'get', 'defaults.perm.share')).toBe('true')
    expect(await cli('settings', 'get', 'defaults.locale')).toBe('de')
    expect(await cli('settings', 'get', 'defaults.scope')).toBe('/team')
  })

  it('have an address per section, and a menu on phones', async () => {
    await using admin = await administer({ args: ['--enable-exec'] }, { expectedStatuses: [404] })
    const { page } = admin
    const at = () => new URL(page.url()).pathname
    expect(at()).toBe('/settings/global/accounts')
    for (const title of ALL) await openSection(page, title)
    await goWithin(page, '/settings/global#backup')
    await sectionOf(page, 'Backup').waitFor()
    expect(at()).toBe('/settings/global/backup')
    await goWithin(page, '/settings/global/nothing')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await goWithin(page, '/settings/global#audit')
    await page.getByRole('heading', { name: 'Activity log' }).waitFor()
    expect(at()).toBe('/settings/activity')
    await goWithin(page, '/settings/global/server')
    await sectionOf(page, 'Server').waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByLabel('Sections').selectOption({ label: 'Cache' })
    await sectionOf(page, 'Cache').getByText('The cache is empty.').waitFor()
    expect(at()).toBe('/settings/global/cache')
  })
})

async function hasValue(field: Locator, value: string): Promise<void> {
  await expect.poll(async () => await field.inputValue()).toBe(value)
}
