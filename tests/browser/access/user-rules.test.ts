import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { administerInFile } from '../../helpers/browser/pages/settings-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { patterns, addUser, openSettings } from '../../helpers/browser/pages/users-page.ts'
import { confirm } from '../../helpers/browser/pages/confirmation.ts'

const FILES = { 'team/contracts/a.pdf': 'a', 'team/contracts/public/vault.key': 'k', 'team/plan.txt': 'plan' }

const deny = (path: string): Rule => ({ allow: false, regex: false, path, regexp: null })
const RULES = [deny('/contracts'), { ...deny('/contracts/public'), allow: true }, deny('/drafts')]

const ruleAt = (page: Page, number: number): Locator => page.getByRole('group', { name: `Rule ${number}`, exact: true })
const patternAt = (page: Page, number: number): Locator =>
  page.getByRole('textbox', { name: `Pattern of rule ${number}`, exact: true })
const isFocused = async (target: Locator): Promise<boolean> =>
  await target.evaluate((element) => element === document.activeElement)

const open = administerInFile()

describe('the rules of a user', () => {
  it('are ordered by mouse and keys, inserted anywhere, previewed while typing, and saved', async () => {
    await using admin = await open({ files: FILES, place: 'users', expectedStatuses: [400] })
    const { page, daemon, json: cli } = admin
    const id = await addUser(daemon, 'bob', { scope: '/team', rules: RULES })
    await goWithin(page, `/settings/users/${id}`)
    await patternAt(page, 3).waitFor()

    // Drag the handle of the third rule onto the first.
    const handle = page.getByRole('button', { name: 'Move rule 3, use arrow keys' })
    await handle.scrollIntoViewIfNeeded()
    const [from, to] = [await handle.boundingBox(), await ruleAt(page, 1).boundingBox()]
    if (from === null || to === null) throw new Error('the rows are not there')
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, to.y - 4, { steps: 6 })
    await page.mouse.up()
    await expect.poll(async () => await patterns(page)).toEqual(['/drafts', '/contracts', '/contracts/public'])
    await expect.poll(async () => await isFocused(ruleAt(page, 1).getByRole('button').first())).toBe(true)
    await page.getByText('Rule 3 is now rule 1 of 3').waitFor({ state: 'attached' })

    // An arrow key on the handle, and Alt with an arrow key in a field.
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => await patterns(page)).toEqual(['/contracts', '/drafts', '/contracts/public'])
    await patternAt(page, 2).press('Alt+ArrowDown')
    await expect.poll(async () => await patterns(page)).toEqual(['/contracts', '/contracts/public', '/drafts'])
    await expect.poll(async () => await isFocused(ruleAt(page, 3).getByRole('button').first())).toBe(true)
    // Escape cancels the drag.
    const third = await page.getByRole('button', { name: 'Move rule 3, use arrow keys' }).boundingBox()
    if (third === null) throw new Error('the rows are not there')
    await page.mouse.move(third.x + 8, third.y + 8)
    await page.mouse.down()
    await page.mouse.move(third.x + 8, third.y - 90, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await patterns(page)).toEqual(['/contracts', '/contracts/public', '/drafts'])

    await page.getByRole('button', { name: 'More for rule 1' }).click()
    await page.getByRole('menuitem', { name: 'Add a rule below' }).click()
    await expect.poll(async () => await isFocused(patternAt(page, 2))).toBe(true)
    await patternAt(page, 2).fill('plan')
    await page.getByText('This matches nothing: paths start with a slash.').waitFor()
    await page.getByRole('combobox', { name: 'Kind of rule 2' }).selectOption('regex')
    await patternAt(page, 2).fill('(?<plan')
    await ruleAt(page, 2).getByRole('alert').filter({ hasText: 'invalid named capture' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await patternAt(page, 2).fill('plan\\.txt$')
    await page.getByText('3 of 5 items would be hidden.').waitFor()
    await page.getByText('Items that would be hidden').click()
    await page.getByRole('list', { name: 'Items that would be hidden' }).getByText('/plan.txt').waitFor()
    await page.getByRole('button', { name: 'Remove rule 4' }).click()

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, daemon.password, 'Save')
    await toastOf(page, 'User updated').waitFor()
    expect(await cli<Rule[]>('rules', 'ls', '--user', 'bob')).toMatchObject([
      { path: '/contracts', allow: false },
      { regex: true, regexp: { raw: 'plan\\.txt$' } },
      { path: '/contracts/public', allow: true },
    ])
    await cli('rules', 'add', '/later', '--deny', '--user', 'bob')
    await patternAt(page, 4).waitFor()
    expect(await patternAt(page, 4).inputValue()).toBe('/later')
  })

  it('explain each step of an access decision, also with unsaved values, and link to the rule', async () => {
    await using admin = await open({ files: FILES, place: 'users' })
    const { page, daemon, json: cli } = admin
    const id = await addUser(daemon, 'bob', { scope: '/team', rules: RULES })
    await cli('rules', 'add', '/private', '--deny')
    await goWithin(page, `/settings/users/${id}`)
    await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Delete' })
    await page.getByRole('textbox', { name: 'Path' }).fill('/contracts/public/vault.key')
    await page.getByText('Yes, bob can do this.').waitFor()
    const trace = page.getByRole('list', { name: 'Decision steps' })
    await trace.getByText('Rule 2 of this user allows').waitFor()

    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('combobox', { name: 'Kind of rule 4' }).selectOption('regex')
    await patternAt(page, 4).fill('\\.key$')
    await page.getByText('No, bob cannot do this.').waitFor()
    const steps = trace.getByRole('listitem')
    await expect
      .poll(async () => await steps.allInnerTexts())
      .toEqual([
        expect.stringContaining('Permission: Delete'),
        expect.stringContaining('Inside the scope'),
        expect.stringMatching(/Rule 1 of this user denies[^]*overridden/),
        expect.stringMatching(/Rule 2 of this user allows[^]*overridden/),
        expect.stringMatching(/Rule 4 of this user denies[^]*decides/),
      ])
    await trace.getByRole('button', { name: 'Rule 4 of this user denies' }).click()
    expect(await isFocused(patternAt(page, 4))).toBe(true)
    await page.getByRole('checkbox', { name: 'Delete', exact: true }).uncheck()
    await steps.first().getByText('not granted').waitFor()
    await page.getByRole('textbox', { name: 'Path' }).fill('/private/x')
    await trace.getByRole('link', { name: 'Global rule 1 denies' }).waitFor()
    expect(await cli('why', 'bob', 'delete', '/contracts/public/vault.key')).toMatchObject({ allowed: true })
  })

  it('move the focus to the remaining button when the last rule is removed', async () => {
    await using admin = await open({ files: FILES, place: 'users' })
    const { page, daemon } = admin
    const id = await addUser(daemon, 'bob', { scope: '/team', rules: RULES.slice(0, 1) })
    await goWithin(page, `/settings/users/${id}`)
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    expect(await isFocused(page.getByRole('button', { name: 'Add rule' }))).toBe(true)
  })

  it('are dragged by touch on a phone', async () => {
    await using daemon = await startTestServer({ files: FILES })
    const id = await addUser(daemon, 'bob', { scope: '/team', rules: RULES })
    const phone = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true }
    await using browser = await openSettings(daemon, `users/${id}`, phone)
    const { page } = browser
    const handle = page.getByRole('button', { name: 'Move rule 1, use arrow keys' })
    await handle.scrollIntoViewIfNeeded()
    const [from, to] = [await handle.boundingBox(), await ruleAt(page, 2).boundingBox()]
    if (from === null || to === null) throw new Error('the rows are not there')
    const finger = await browser.context.newCDPSession(page)
    const [x, y] = [from.x + 10, from.y + from.height / 2]
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      await finger.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] })
    await touch('touchStart', y)
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', y + (to.height + 8) * part)
    await touch('touchEnd')
    await expect.poll(async () => await patterns(page)).toEqual(['/contracts/public', '/contracts', '/drafts'])
  })
})
