import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../helpers/browser/accessibility.ts'
import { openBrowser } from '../helpers/browser/browser.ts'
import { serverOfFile } from '../helpers/browser/test-server.ts'
import { entryOf, gridOf, openFiles, signIn } from '../helpers/browser/pages/files-page.ts'
import { linkTo, openLink, sharedEntry } from '../helpers/browser/pages/public-page.ts'
import { addUser, openSettings } from '../helpers/browser/pages/users-page.ts'
import { openViewer, viewerOf } from '../helpers/browser/pages/viewer-page.ts'
import { servedText } from '../helpers/browser/served-files.ts'
import { newSession } from '../helpers/browser/sessions.ts'
import { quarters } from '../helpers/samples/pictures.ts'

const server = serverOfFile({
  files: {
    'notes.txt': 'one',
    'shared/plan.txt': 'plan',
    'picture.png': await quarters(300, 200).png().toBuffer(),
  },
})

describe('a visit', () => {
  it('begins at the sign-in form, which refuses a wrong password', async () => {
    await using browser = await openBrowser(server().url, { expectedStatuses: [403] })
    const { page } = browser
    await page.goto('/')
    await signIn(page, server().username, 'not the password')
    await page.getByText('Wrong username or password.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await signIn(page, server().username, server().password)
    await entryOf(page, 'notes.txt').waitFor()
  })

  it('ends by signing out', async () => {
    const storageState = await newSession(server())
    await using browser = await openFiles(server(), { storageState, expectedStatuses: [401] })
    const { page } = browser
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await page.goto('/files/')
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
  })

  it('by a shared link asks for its password, and shows the folder', async () => {
    const hash = await linkTo(server(), '/shared/', { password: 'open sesame' })
    await using browser = await openLink(server(), hash, { expectedStatuses: [401] })
    const { page } = browser
    const password = page.getByLabel('Password', { exact: true })
    await password.waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await password.fill('wrong')
    await password.press('Enter')
    await page.getByRole('alert').waitFor()
    // The field is emptied for another try, and keeps the focus.
    await page.keyboard.type('open sesame')
    await password.press('Enter')
    await sharedEntry(page, 'plan.txt').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })
})

describe('a file', () => {
  it('opens in the viewer', async () => {
    await using browser = await openViewer(server(), 'picture.png')
    const { page } = browser
    await viewerOf(page).getByRole('img', { name: 'picture.png' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await gridOf(page).waitFor()
  })

  it('is edited and saved', async () => {
    await using browser = await openFiles(server())
    const { page } = browser
    await entryOf(page, 'notes.txt').dblclick()
    await page.getByRole('textbox', { name: /Content of notes\.txt/ }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' two')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
    expect(await servedText(server(), 'notes.txt')).toBe('one two')
  })
})

describe('an administrator', () => {
  it('changes a setting', async () => {
    await using browser = await openSettings(server(), 'global')
    const { page } = browser
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const before = (await (await server().fetch('/api/settings/all')).json()) as { createUserDir: boolean }
    const toggle = page.getByRole('main').getByRole('switch').first()
    await toggle.click()
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByRole('button', { name: 'Save' }).click()
    await bar.waitFor({ state: 'detached' })
    expect(await (await server().fetch('/api/settings/all')).json()).not.toEqual(before)
  })

  it('finds a user and opens the account', async () => {
    await addUser(server(), 'eve')
    await using browser = await openSettings(server(), 'users')
    const { page } = browser
    await page.getByRole('link', { name: 'eve', exact: true }).click()
    await page.getByRole('heading', { name: 'eve', level: 1 }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
