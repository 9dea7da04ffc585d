import { describe, expect, it } from 'vitest'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { GroupView } from '../../../src/domain/accounts/group.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { addUser, userOf } from '../../helpers/browser/pages/users-page.ts'
import { confirm, whenSaved } from '../../helpers/browser/pages/confirmation.ts'

const FILES = { 'team/plan.txt': 'plan', 'team/papers/a.txt': 'a' }

const open = pageOfFile()

describe('the page of groups', () => {
  it('makes a group, chooses its members, and explains by its name what it gives', async () => {
    await using shown = await open(FILES, { settings: 'users', expectedStatuses: [400, 404, 409] })
    const { page, daemon } = shown
    const bob = await addUser(daemon, 'bob', { perm: NO_PERMISSIONS })
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor()

    const make = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'New group' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByLabel('Your current password').fill(daemon.password)
      await page.keyboard.press('Enter')
    }
    await make('Film crew')
    await page.waitForURL(/\/settings\/groups\/./)
    await page.getByRole('heading', { name: 'Film crew', level: 2 }).waitFor()
    await make('FILM CREW')
    await page
      .getByRole('alert')
      .filter({ hasText: /already|taken/i })
      .waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    const add = page.getByRole('combobox', { name: 'Add people' })
    await add.fill('nobody')
    await add.press('Enter')
    await page.getByText('No matching users').waitFor()
    await add.fill('BOB')
    await add.press('Enter')
    await page.getByRole('button', { name: 'Remove bob' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, 'wrong', 'Save')
    await page.getByText('This is not your current password.').waitFor()
    await confirm(page, daemon.password, 'Save')
    await whenSaved(page)

    await page.getByRole('checkbox', { name: 'Create' }).check()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('textbox', { name: 'Pattern of rule 1' }).fill('/team/papers')
    // The answer uses what is not saved yet.
    await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Create' })
    await page.getByRole('textbox', { name: 'Path' }).fill('/team/papers/new.txt')
    const steps = page.getByRole('list', { name: 'Decision steps' })
    await steps.getByText('granted by Film crew').waitFor()
    await steps.getByRole('button', { name: 'Rule 1 of the group Film crew denies' }).click()
    expect(
      await page
        .getByRole('textbox', { name: 'Pattern of rule 1' })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, daemon.password, 'Save')
    await whenSaved(page)
    const groups = (await (await daemon.fetch('/api/groups')).json()) as GroupView[]
    expect(groups).toMatchObject([
      { name: 'Film crew', perm: { create: true }, members: 1, rules: [{ path: '/team/papers' }] },
    ])
    expect(await userOf(daemon, 'bob')).toMatchObject({
      perm: { create: false },
      effective: { perm: { create: true } },
    })

    await goWithin(page, `/settings/users/${bob}`)
    const never = page.getByRole('group', { name: 'Never allowed' })
    await page.getByRole('link', { name: 'Film crew' }).waitFor()
    await never.getByRole('checkbox', { name: 'Create' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, daemon.password, 'Save')
    await whenSaved(page)
    expect(await userOf(daemon, 'bob')).toMatchObject({ denied: ['create'], effective: { perm: { create: false } } })

    await page.getByRole('link', { name: 'Film crew' }).click()
    await page.getByRole('button', { name: 'Remove bob' }).click()
    await page.getByRole('button', { name: 'Remove bob' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, daemon.password, 'Save')
    await whenSaved(page)
    await page.getByRole('status').filter({ hasText: 'Members: 0' }).waitFor()
    await page.getByRole('button', { name: 'Delete group' }).click()
    await confirm(page, daemon.password, 'Delete group')
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor()
  })
})
