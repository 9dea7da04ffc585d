import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/domain/access/rule.ts'
import type { SessionView } from '../../../src/domain/accounts/session.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import type { TestServer } from '../../helpers/browser/test-server.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { administerInFile, type Administered } from '../../helpers/browser/pages/settings-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { PASSPHRASE, rowOf, patterns } from '../../helpers/browser/pages/users-page.ts'
import { confirm, whenSaved } from '../../helpers/browser/pages/confirmation.ts'

const FILES = { 'team/plan.txt': 'plan', 'free.txt': 'free' }
const OTHER = 'another passphrase'

type Cli = Administered['json']

const open = administerInFile()

/** Signs in without the browser. @returns the status of the response */
async function signInAs(daemon: TestServer, username: string, password: string): Promise<number> {
  const body = JSON.stringify({ username, password })
  return (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status
}

async function namesOf(cli: Cli): Promise<string[]> {
  return (await cli<UserView[]>('users', 'ls')).map(({ username }) => username)
}

async function sessionsOf(cli: Cli, username: string): Promise<SessionView[]> {
  return await cli<SessionView[]>('sessions', 'ls', '--user', username)
}

async function save(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await confirm(page, password, 'Save')
  await whenSaved(page)
}

async function rulesOf(cli: Cli, ...owner: string[]): Promise<string[]> {
  return (await cli<Rule[]>('rules', 'ls', ...owner)).map(({ path }) => path)
}

async function fillPattern(page: Page, number: number, text: string): Promise<void> {
  await page.getByRole('textbox', { name: `Pattern of rule ${number}`, exact: true }).fill(text)
}

describe('the command line and the page, without a reload', () => {
  it('create, rename, change and delete accounts', async () => {
    // The page may request the account once more that it has just deleted.
    await using admin = await open({ files: FILES, place: 'users', expectedStatuses: [404] })
    const { page, daemon, json: cli } = admin

    await cli('users', 'add', 'eve', '--password', PASSPHRASE)
    await rowOf(page, 'eve').getByText('Not signed in').waitFor()
    await cli('users', 'set', 'eve', '--scope', '/team', '--lock-password')
    await rowOf(page, 'eve').getByText('/team').waitFor()
    await rowOf(page, 'eve').getByRole('img', { name: 'Cannot change the password' }).waitFor()
    await cli('users', 'set', 'eve', '--username', 'eva')
    await rowOf(page, 'eva').waitFor()
    expect(await signInAs(daemon, 'eva', PASSPHRASE)).toBe(200)
    await rowOf(page, 'eva').getByText('1 device').waitFor()
    await cli('users', 'passwd', 'eva', '--password', OTHER)
    await rowOf(page, 'eva').getByText('Not signed in').waitFor()
    expect([await signInAs(daemon, 'eva', PASSPHRASE), await signInAs(daemon, 'eva', OTHER)]).toEqual([403, 200])

    await rowOf(page, 'eva').getByRole('button', { name: 'More for eva' }).click()
    await page.getByRole('menuitem', { name: 'Allow password changes' }).click()
    await confirm(page, daemon.password, 'Allow password changes')
    await expect.poll(async () => (await cli<UserView>('users', 'show', 'eva')).lockPassword).toBe(false)
    await rowOf(page, 'eva').getByRole('link').click()
    await cli('users', 'set', 'eva', '--perm.delete=false')
    await page.getByRole('checkbox', { name: 'Delete', checked: false }).waitFor()
    await page.getByRole('checkbox', { name: 'Create' }).uncheck()
    await page.getByRole('textbox', { name: 'Username' }).fill('evita')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSPHRASE)
    await save(page, daemon.password)
    const { perm } = await cli<UserView>('users', 'show', 'evita')
    expect(perm).toMatchObject({ create: false, delete: false, rename: true })
    expect([await signInAs(daemon, 'evita', OTHER), await signInAs(daemon, 'evita', PASSPHRASE)]).toEqual([403, 200])
    await page.getByRole('button', { name: 'Delete user' }).click()
    await confirm(page, daemon.password, 'Delete user')
    await toastOf(page, 'User deleted').waitFor()
    expect(await namesOf(cli)).toEqual(['admin'])

    await page.getByRole('link', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('carla')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Create user' }).click()
    await confirm(page, daemon.password, 'Create user')
    await toastOf(page, 'User created').waitFor()
    expect(await namesOf(cli)).toEqual(['admin', 'carla'])
    await page.getByRole('link', { name: 'All users' }).click()
    await rowOf(page, 'carla').waitFor()
    await cli('users', 'rm', 'carla', '--yes')
    await rowOf(page, 'carla').waitFor({ state: 'detached' })
  })

  it('list and sign out devices', async () => {
    await using admin = await open({ files: FILES, place: 'users' })
    const { page, daemon, json: cli } = admin
    const { id } = await cli<UserView>('users', 'add', 'eve', '--password', PASSPHRASE)
    await goWithin(page, `/settings/users/${id}`)
    const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
    await page.getByText('Not signed in anywhere.').waitFor()
    for (let count = 1; count <= 3; count += 1) {
      expect(await signInAs(daemon, 'eve', PASSPHRASE)).toBe(200)
      await expect.poll(async () => await devices.count()).toBe(count)
    }
    const [first] = await sessionsOf(cli, 'eve')
    await cli('sessions', 'revoke', first?.id ?? '')
    await expect.poll(async () => await devices.count()).toBe(2)
    await devices.first().getByRole('button').click()
    await toastOf(page, 'Device signed out').waitFor()
    expect((await sessionsOf(cli, 'eve')).length).toBe(1)
    await cli('sessions', 'revoke', '--user', 'eve')
    await page.getByText('Not signed in anywhere.').waitFor()
  })

  it('add, move and remove global rules and rules of a user', async () => {
    await using admin = await open({ files: FILES, place: 'global/rules' })
    const { page, daemon, json: cli } = admin
    const { id } = await cli<UserView>('users', 'add', 'eve', '--password', PASSPHRASE)
    const inPage = async (owner: string[], saves: () => Promise<void>) => {
      for (const path of ['/a', '/b', '/c']) await cli('rules', 'add', path, '--deny', ...owner)
      await expect.poll(async () => await patterns(page)).toEqual(['/a', '/b', '/c'])
      await cli('rules', 'move', '2', '0', ...owner)
      await expect.poll(async () => await patterns(page)).toEqual(['/c', '/a', '/b'])
      await cli('rules', 'rm', '1', '--yes', ...owner)
      await expect.poll(async () => await patterns(page)).toEqual(['/c', '/b'])
      await page.getByRole('button', { name: 'Add rule' }).click()
      await fillPattern(page, 3, '/d')
      await page.getByRole('textbox', { name: 'Pattern of rule 3' }).press('Alt+ArrowUp')
      await page.getByRole('button', { name: 'Remove rule 1' }).click()
      await saves()
      expect(await rulesOf(cli, ...owner)).toEqual(['/d', '/b'])
    }
    await inPage([], async () => {
      await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
      await toastOf(page, 'Settings saved').waitFor()
    })
    await openUser(page, id, 'eve')
    await inPage(['--user', 'eve'], async () => await save(page, daemon.password))
  })

  it('create, change and delete shared links', async () => {
    await using admin = await open({ files: FILES, place: 'shares' })
    const { page, json: cli } = admin
    const row = (name: string): Locator =>
      page.getByRole('table', { name: 'Shared links' }).getByRole('row').filter({ hasText: name })
    const { hash } = await cli<{ hash: string }>('shares', 'add', '/free.txt', '--expires', '150m')
    await cli('shares', 'add', '/team', '--expires', '1h')
    await row('free.txt').getByText('in 2 hours').waitFor()
    await cli('shares', 'set', hash, '--expires', '725h')
    await row('free.txt').getByText('in 30 days').waitFor()
    await row('free.txt').getByRole('button', { name: 'More actions for the link to free.txt' }).click()
    await page.getByRole('menuitem', { name: 'Edit link' }).click()
    const edit = page.getByRole('dialog', { name: 'Link to “free.txt”' })
    await edit.getByRole('button', { name: 'Never' }).click()
    await edit.getByRole('button', { name: 'Save' }).click()
    await row('free.txt').getByText('Never expires').waitFor()
    expect(await cli('shares', 'show', hash)).toMatchObject({ expires: null })
    await row('free.txt').getByRole('button', { name: 'More actions for the link to free.txt' }).click()
    await page.getByRole('menuitem', { name: 'Delete link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete link' }).click()
    await row('free.txt').waitFor({ state: 'detached' })
    const [left, ...others] = await cli<{ hash: string; path: string }[]>('shares', 'ls')
    expect([left?.path.replace(/\/$/, ''), others.length]).toEqual(['/team', 0])
    await cli('shares', 'rm', left?.hash ?? '', '--yes')
    await page.getByRole('heading', { name: 'No shared links yet' }).waitFor()
  })
})

/** Opens an account with the links of the page, without a reload. */
async function openUser(page: Page, id: number, username: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' }).click()
  await rowOf(page, username).getByRole('link').click()
  await page.waitForURL(`**/settings/users/${id}`)
  await page.getByRole('button', { name: 'Add rule' }).waitFor()
}
