import { expect, it } from 'vitest'
import type { PlaceView } from '../../../src/domain/accounts/place.ts'
import { addUser, openSettings, PASSPHRASE } from '../../helpers/browser/pages/users-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { confirm, whenSaved } from '../../helpers/browser/pages/confirmation.ts'

it('a root is added and given to a group, whose members see it, also without a folder of their own', async () => {
  await using disk = await tempFolder({ 'photos/2024/a.jpg': 'a' })
  await using daemon = await startTestServer({ args: ['--roots-in', disk.path] })
  const id = await addUser(daemon, 'ben')
  const body = JSON.stringify({ name: 'Family', current_password: daemon.password })
  const group = (await (await daemon.fetch('/api/groups', { method: 'POST', body })).json()) as { readonly id: string }
  const joining = JSON.stringify({ add: [id], current_password: daemon.password })
  await daemon.fetch(`/api/groups/${group.id}/members`, { method: 'PATCH', body: joining })
  const placesOfBen = async (): Promise<string[]> => {
    const login = JSON.stringify({ username: 'ben', password: PASSPHRASE })
    const token = await (await fetch(new URL('api/login', daemon.url), { method: 'POST', body: login })).text()
    const answer = await fetch(new URL('api/places', daemon.url), { headers: { 'x-auth': token } })
    return ((await answer.json()) as PlaceView[]).map(({ name, path }) => `${name} ${path}`)
  }

  await using browser = await openSettings(daemon, 'roots', { expectedStatuses: [400, 403] })
  const { page } = browser
  await page.getByText('No other roots yet').waitFor()
  await page.getByText(`Roots can be added here in ${disk.path}`).waitFor()
  await page.getByRole('button', { name: 'Add root' }).click()
  const form = page.getByRole('dialog', { name: 'Add root' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Photos')
  const location = form.getByRole('textbox', { name: 'Folder on the server' })
  await location.fill('/')
  await confirm(page, daemon.password, 'Add root')
  await form.getByRole('alert').filter({ hasText: '--roots-in' }).waitFor()
  await location.fill(disk.at('photos'))
  await page.keyboard.press('Enter')

  const people = page.getByRole('dialog', { name: 'People of Photos' })
  await people.getByRole('button', { name: 'Group', exact: true }).click()
  await people.getByRole('combobox', { name: 'Group' }).fill('family')
  await people.getByRole('combobox', { name: 'Permissions' }).selectOption({ label: 'View, download' })
  await people.getByRole('button', { name: 'Give', exact: true }).click()
  await confirm(page, daemon.password, 'Give')
  await people.getByRole('link', { name: 'Family' }).waitFor()
  await people.getByText('All of it · Download').waitFor()
  expect(await placesOfBen()).toEqual(['Home /Home', 'Photos /Photos'])

  await page.goto(`/settings/users/${id}`)
  await page.getByRole('combobox', { name: 'Root' }).selectOption({ label: 'No folder of its own' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await confirm(page, daemon.password, 'Save')
  await whenSaved(page)
  expect(await placesOfBen()).toEqual(['Photos /'])

  await page.getByRole('link', { name: 'Roots' }).click()
  await page.getByRole('button', { name: 'More for Photos' }).click()
  await page.getByRole('menuitem', { name: 'Remove root' }).click()
  await page.getByText('These lose it: Family.').waitFor()
  await confirm(page, daemon.password, 'Remove root')
  await page.getByText('No other roots yet').waitFor()
  expect(await placesOfBen()).toEqual([])
})
