import { describe, expect, it } from 'vitest'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { signInElsewhere } from '../../helpers/browser/sessions.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { addUser, PASSPHRASE, rowOf, userOf } from '../../helpers/browser/pages/users-page.ts'
import { confirm } from '../../helpers/browser/pages/confirmation.ts'

const FILES = { 'team/plan.txt': 'plan', 'team/papers/a.txt': 'a', 'free.txt': 'free' }

const open = pageOfFile()

describe('the users page', () => {
  it('creates a user with a home folder, who can sign in', async () => {
    await using shown = await open(FILES, { settings: 'users', expectedStatuses: [400, 409] })
    const { page, daemon } = shown
    await page.getByRole('link', { name: 'New user' }).click()
    const [name, password, scope] = ['Username', 'Password', 'Scope'].map((label) =>
      page.getByRole(label === 'Scope' ? 'combobox' : 'textbox', { name: label, exact: true }),
    ) as [ReturnType<typeof page.getByRole>, ReturnType<typeof page.getByRole>, ReturnType<typeof page.getByRole>]
    const create = page.getByRole('button', { name: 'Create user' })
    await create.click()
    await page.getByText('Enter a username.').waitFor()
    await expect.poll(async () => await name.evaluate((field) => field === document.activeElement)).toBe(true)
    await name.fill('admin')
    await password.fill('short')
    await page.getByText('Too short. Use at least 12 characters.').waitFor()
    await password.fill(PASSPHRASE)
    expect(await scope.inputValue()).toBe('.')
    await page.getByRole('checkbox', { name: 'Create a home folder' }).check()
    expect([await scope.inputValue(), await scope.isDisabled()]).toEqual(['', true])

    const admin = page.getByRole('checkbox', { name: 'Administrator' })
    const rename = page.getByRole('checkbox', { name: 'Rename and move' })
    const locked = page.getByRole('checkbox', { name: 'Cannot change the password' })
    await locked.check()
    await admin.check()
    expect([await rename.isChecked(), await rename.isDisabled(), await locked.isChecked()]).toEqual([true, true, false])
    expect(await page.getByRole('checkbox', { name: 'Run commands' }).count()).toBe(0)
    await admin.uncheck()
    await rename.uncheck()

    await create.click()
    await confirm(page, 'a wrong password', 'Create user')
    await page.getByText('This is not your current password.').waitFor()
    await confirm(page, daemon.password, 'Create user')
    await page.getByText('A user with this name already exists.').waitFor()
    await name.fill('eve')
    await create.click()
    await confirm(page, daemon.password, 'Create user')
    await toastOf(page, 'User created').waitFor()
    await page.waitForURL(/\/settings\/users\/\d+$/)
    await page.getByRole('heading', { name: 'eve', level: 1 }).waitFor()
    expect(await userOf(daemon, 'eve')).toMatchObject({ scope: '/users/eve', perm: { admin: false, rename: false } })

    const other = await signInElsewhere({ ...daemon, username: 'eve' }, { password: PASSPHRASE })
    expect(await other.ask()).toBe(200)
    // Sign-ins of others are polled, and fetched at once after a reload.
    await page.reload()
    await page
      .getByRole('list', { name: 'Devices' })
      .getByRole('button', { name: /Sign out/ })
      .click()
    await expect.poll(async () => await other.ask()).toBe(401)
  })

  it('edits each field, asks before changes are lost, and shows errors at the right field', async () => {
    await using shown = await open(FILES, { settings: 'users', expectedStatuses: [400, 403, 404, 409] })
    const { page, daemon } = shown
    const id = await addUser(daemon, 'bob')
    await goWithin(page, `/settings/users/${id}`)
    const name = page.getByRole('textbox', { name: 'Username' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByRole('switch', { name: 'Do not show hidden files' }).check()
    await save.click()
    // Settings that users can change themselves need no password.
    await toastOf(page, 'User updated').waitFor()
    await save.waitFor({ state: 'detached' })
    expect(await userOf(daemon, 'bob')).toMatchObject({ hideDotfiles: true })

    await name.fill('admin')
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('admin')
    await save.click()
    await confirm(page, daemon.password, 'Save')
    await page.getByText('A user with this name already exists.').waitFor()
    await name.fill('robert')
    const scope = page.getByRole('combobox', { name: 'Scope' })
    await page.getByRole('button', { name: 'Choose folder' }).click()
    const prompt = page.getByRole('dialog', { name: 'Choose folder' })
    await prompt.getByRole('treeitem', { name: 'team' }).click()
    await page.keyboard.press('ArrowRight')
    await prompt.getByRole('treeitem', { name: 'papers' }).click()
    await prompt.getByText('/team/papers', { exact: true }).waitFor()
    await prompt.getByRole('searchbox').fill('nowhere')
    await prompt.getByRole('button', { name: 'Choose folder', disabled: true }).waitFor()
    await prompt.getByRole('searchbox').fill('')
    await prompt.getByRole('button', { name: 'Choose folder' }).click()
    expect(await scope.inputValue()).toBe('/team/papers')
    await scope.fill('/team')
    // Another administrator changes a different field meanwhile, which is kept.
    const body = { what: 'user', which: ['lockPassword'], current_password: daemon.password }
    const data = { id, lockPassword: true }
    await daemon.fetch(`/api/users/${id}`, { method: 'PUT', body: JSON.stringify({ ...body, data }) })
    await page.getByRole('checkbox', { name: 'Cannot change the password', checked: true }).waitFor()
    expect(await name.inputValue()).toBe('robert')
    await page.keyboard.press('Enter')
    await confirm(page, daemon.password, 'Save')
    await page.getByRole('heading', { name: 'robert', level: 1 }).waitFor()
    expect(await userOf(daemon, 'robert')).toMatchObject({ scope: '/team', lockPassword: true })

    await page.getByRole('button', { name: 'Delete user' }).click()
    await confirm(page, daemon.password, 'Delete user')
    await toastOf(page, 'User deleted').waitFor()
    await page.waitForURL('**/settings/users')
    expect(await userOf(daemon, 'robert')).toBeUndefined()

    await goWithin(page, '/settings/users/nobody')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await goWithin(page, '/settings/users')
    await rowOf(page, 'admin').getByRole('link').click()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await confirm(page, daemon.password, 'Delete user')
    const refused = page.getByRole('alertdialog')
    await refused.getByText('This is the last administrator').waitFor()
    expect(await refused.getByText('Details').count()).toBe(0)
    await refused.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('checkbox', { name: 'Administrator' }).uncheck()
    await page.getByText('All your devices will be signed out.').waitFor()
    await save.click()
    await confirm(page, daemon.password, 'Save')
    await page.locator('[data-refusal]').getByText('This is the last administrator').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    // Saving the own account updates the current user of the page.
    await page.getByRole('textbox', { name: 'Username' }).fill('boss')
    await save.click()
    await confirm(page, daemon.password, 'Save')
    await page.getByRole('complementary').getByText('boss').waitFor()
  })

  it('finds, sorts and edits many users at once, and reports each failure', async () => {
    await using shown = await open(FILES, { settings: 'users', expectedStatuses: [404] })
    const { page, daemon } = shown
    for (const name of ['ann', 'bob', 'cid']) await addUser(daemon, name, { scope: `/team/${name}` })
    const table = page.getByRole('table', { name: 'Users' })
    const names = async () => await table.getByRole('rowheader').getByRole('link').allTextContents()
    await expect.poll(names).toEqual(['admin', 'ann', 'bob', 'cid'])
    await table.getByRole('button', { name: 'Username' }).click()
    await expect.poll(names).toEqual(['cid', 'bob', 'ann', 'admin'])
    await table.getByRole('columnheader', { name: 'Username' }).and(page.locator('[aria-sort="descending"]')).waitFor()
    await page.getByRole('searchbox', { name: 'Find a user' }).fill('nobody')
    await page.getByRole('heading', { name: 'No matching users' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find a user' }).fill('team')
    await expect.poll(names).toEqual(['cid', 'bob', 'ann'])

    await table.getByRole('checkbox', { name: 'Select cid' }).check()
    await table.getByRole('checkbox', { name: 'Select ann' }).click({ modifiers: ['Shift'] })
    const tools = page.getByRole('toolbar', { name: 'Selection actions' })
    await tools.getByText('3 selected').waitFor()
    await tools.getByRole('button', { name: 'Permissions' }).click()
    await page.getByRole('menuitem', { name: 'Revoke a permission' }).hover()
    await page.getByRole('menuitem', { name: 'Download', exact: true }).click()
    await page.getByRole('dialog').getByText('Download', { exact: true }).waitFor()
    await confirm(page, daemon.password, 'Revoke a permission')
    await toastOf(page, '3 users updated').waitFor()
    expect(await userOf(daemon, 'bob')).toMatchObject({ perm: { download: false, share: false, create: true } })

    await table.getByRole('checkbox', { name: 'Select all' }).check()
    await tools.getByRole('button', { name: 'Password' }).click()
    await page.getByRole('menuitem', { name: 'Prevent password changes' }).click()
    // Another administrator is faster while the password is typed.
    const cid = await userOf(daemon, 'cid')
    const body = JSON.stringify({ current_password: daemon.password })
    await daemon.fetch(`/api/users/${cid?.id}`, { method: 'DELETE', body })
    await confirm(page, daemon.password, 'Prevent password changes')
    await toastOf(page, '2 users updated').waitFor()
    const failed = page.getByRole('alert').filter({ hasText: 'This failed for 1 user.' })
    await failed.getByRole('listitem').filter({ hasText: 'cid' }).waitFor()
    await failed.getByRole('button', { name: 'Dismiss' }).click()
    expect(await userOf(daemon, 'bob')).toMatchObject({ lockPassword: true })

    await page.getByRole('searchbox', { name: 'Find a user' }).fill('')
    await table.getByRole('checkbox', { name: 'Select all' }).check()
    await tools.getByRole('button', { name: 'Delete' }).click()
    // The own account is skipped: deleting it by accident would sign the user out.
    await confirm(page, daemon.password, 'Delete 2 users')
    await toastOf(page, '2 users deleted').waitFor()
    await expect.poll(names).toEqual(['admin'])
  })
})
