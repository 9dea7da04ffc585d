import { Secret, TOTP } from 'otpauth'
import type { FactorsView } from '../../../../src/domain/accounts/factors.ts'
import { changeSettings } from '../change-settings.ts'
import { button, field, type Act, type Find, type Screen, type Stage, type TextId } from './screen.ts'

const checkbox: Find = ({ page }) => page.getByRole('row').getByRole('checkbox').last()
const region =
  (id: TextId): Find =>
  ({ page, text }) =>
    page.getByRole('region', { name: text(id), exact: true })

const FACTORS: FactorsView = {
  totp: { confirmedAt: '2026-03-01T08:00:00Z' },
  recoveryCodes: 9,
  passkeys: [{ id: 'blue', name: 'Blue key', createdAt: '2026-03-02T08:00:00Z', lastUsedAt: '2026-03-03T08:00:00Z' }],
  trusted: [
    {
      id: 'trusted-device',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      since: '2026-03-03T08:00:00Z',
      until: '2026-04-02T08:00:00Z',
      current: true,
    },
  ],
  confirmsBy: ['password', 'totp', 'passkey', 'recovery'],
}

/** Chooses a current backup and enters the password. */
const chooseBackup: Act = async ({ page, daemon }) => {
  const headers = { 'x-current-password': encodeURIComponent(daemon.password) }
  const buffer = Buffer.from(await (await daemon.fetch('/api/backup', { headers })).arrayBuffer())
  const file = { name: 'backup of a quiet evening.tar', mimeType: 'application/x-tar', buffer }
  page.once('filechooser', (chooser) => void chooser.setFiles(file))
}

const givePassword: Act = async (stage) => {
  await field('actions.currentPassword')(stage).fill(stage.daemon.password)
  await stage.page.keyboard.press('Enter')
}

/** Leaves the form as it was. */
const discard: Act = async (stage) => {
  await button('settings.discard')(stage).click()
  await region('settings.unsaved')(stage).waitFor({ state: 'hidden' })
}

export const SETTINGS_SCREENS: readonly Screen[] = [
  {
    name: 'profile',
    at: 'settings/profile',
    ready: button('profile.showKeys'),
  },
  {
    name: 'security',
    at: 'settings/security',
    ready: button('tokens.new'),
    shows: [
      { name: 'new token', from: button('tokens.new'), key: 'Enter' },
      { name: 'new authenticator app', from: button('security.setUp'), key: 'Enter' },
    ],
  },
  {
    name: 'setting up an app, with its recovery codes',
    at: 'settings/security',
    ready: button('security.setUp'),
    first: async (stage) => {
      await button('security.setUp')(stage).click()
      await givePassword(stage)
      const secret = await region('security.app')(stage).locator('bdi').first().innerText()
      const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) })
      await field('security.typeCode')(stage).fill(app.generate())
      await stage.page.keyboard.press('Enter')
      await button('security.print')(stage).waitFor()
    },
    last: async (stage) => await button('files.cancel')(stage).click(),
  },
  {
    name: 'security with all factors and a trusted device',
    at: 'settings/security',
    // The walk must not need a second step.
    before: async ({ page }) => {
      await page.route('**/api/factors', async (route) => await route.fulfill({ json: FACTORS }))
    },
    ready: button('security.newCodes'),
    shows: [
      { name: 'remove the app', from: button('security.remove'), key: 'Enter' },
      { name: 'rename a passkey', from: button('security.renamePasskey', { name: 'Blue key' }), key: 'Enter' },
      { name: 'remove a passkey', from: button('security.removePasskey', { name: 'Blue key' }), key: 'Enter' },
      { name: 'new recovery codes', from: button('security.newCodes'), key: 'Enter' },
    ],
    last: async ({ page }) => await page.unroute('**/api/factors'),
  },
  {
    name: 'links of all',
    at: 'settings/shares',
    ready: ({ page, text }) => page.getByRole('row').getByText(text('shares.missing')),
    shows: [
      { name: 'menu of a link', from: button('shares.moreFor', { name: 'letter.txt' }), key: 'Enter' },
      {
        name: 'change one of the links',
        from: button('shares.moreFor', { name: 'letter.txt' }),
        key: 'Enter',
        item: 'shares.edit',
      },
      {
        name: 'code of one of the links',
        from: button('shares.moreFor', { name: 'letter.txt' }),
        key: 'Enter',
        item: 'shares.showQr',
      },
      {
        name: 'chosen links',
        from: checkbox,
        key: 'Space',
        leave: 'Space',
        ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions') }),
      },
    ],
  },
  {
    name: 'roots',
    at: 'settings/roots',
    ready: button('users.moreFor', { name: 'Archive' }),
    shows: [
      {
        name: 'new root',
        from: button('roots.add'),
        key: 'Enter',
        then: async ({ page, text }) => await page.getByText(text('roots.more')).click(),
      },
      { name: 'menu of a root', from: button('users.moreFor', { name: 'Archive' }), key: 'Enter' },
      {
        name: 'people of a root',
        from: button('users.moreFor', { name: 'Archive' }),
        key: 'Enter',
        item: 'roots.people',
        then: async (stage) => {
          await field('permissions.title')(stage).selectOption('chosen')
        },
      },
      {
        name: 'remove a root',
        from: button('users.moreFor', { name: 'Archive' }),
        key: 'Enter',
        item: 'roots.remove',
      },
    ],
  },
  {
    name: 'a root that is away',
    at: 'settings/roots',
    before: async ({ page }) => {
      await page.route('**/api/roots', async (route) => {
        const roots = (await (await route.fetch()).json()) as object[]
        await route.fulfill({ json: roots.map((root) => ({ ...root, state: 'away', problem: 'no disk is mounted' })) })
      })
    },
    ready: button('roots.lookAgain'),
    last: async ({ page }) => await page.unroute('**/api/roots'),
  },
  {
    name: 'users',
    at: 'settings/users',
    ready: button('users.moreFor', { name: 'ben' }),
    shows: [
      { name: 'menu of a user', from: button('users.moreFor', { name: 'ben' }), key: 'Enter' },
      {
        name: 'delete a user',
        from: button('users.moreFor', { name: 'ben' }),
        key: 'Enter',
        item: 'users.deleteShort',
      },
      { name: 'lock a password', from: button('users.moreFor', { name: 'ben' }), key: 'Enter', item: 'users.lock' },
      {
        name: 'chosen users',
        from: checkbox,
        key: 'Space',
        leave: 'Space',
        ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions') }),
        inside: [
          { name: 'menu of permissions', from: button('permissions.title'), key: 'Enter' },
          { name: 'lock passwords', from: button('login.password'), key: 'Enter', item: 'users.lock' },
        ],
      },
    ],
  },
  {
    name: 'user',
    at: 'settings/users/2',
    ready: button('rules.add'),
    first: async (stage) => {
      await field('users.scope')(stage).fill('/album')
      await field('shell.path')(stage).fill('/kept.txt')
      await stage.page.getByLabel(stage.text('why.trace')).waitFor()
    },
    shows: [
      { name: 'menu of a rule', from: button('rules.moreFor', { number: '1' }), key: 'Enter' },
      { name: 'a folder of the server', from: button('users.chooseFolder'), key: 'Enter' },
      { name: 'password before a change', from: button('settings.save'), key: 'Enter' },
      { name: 'reset of the second step', from: button('users.reset'), key: 'Enter' },
      {
        name: 'unsaved changes',
        from: ({ page, text }) => page.getByRole('link', { name: text('users.back') }),
        key: 'Enter',
      },
    ],
    last: discard,
  },
  {
    name: 'groups',
    at: 'settings/groups',
    ready: button('groups.removeOne', { name: 'ben' }),
    first: async (stage) => {
      await field('shell.path')(stage).fill('/one/two')
      await stage.page.getByLabel(stage.text('why.trace')).waitFor()
    },
    shows: [
      { name: 'a place of a group', from: button('users.editOne', { name: 'Archive' }), key: 'Enter' },
      { name: 'new group', from: button('groups.new'), key: 'Enter' },
      { name: 'delete a group', from: button('groups.delete'), key: 'Enter' },
      { name: 'menu of a rule of a group', from: button('rules.moreFor', { number: '1' }), key: 'Enter' },
    ],
  },
  { name: 'new user', at: 'settings/users/new', ready: button('users.create') },
  {
    name: 'commands',
    at: 'settings/global/hooks',
    ready: button('hooks.remove', { command: 'echo done' }),
    first: async (stage) => {
      await button('hooks.test')(stage).click()
      await button('hooks.closeOutput')(stage).waitFor()
    },
    leavesNothing: true,
  },
  {
    name: 'webhooks',
    at: 'settings/global/webhooks',
    ready: button('hooks.remove', { command: 'Search index' }),
    first: async (stage) => {
      await button('webhooks.newSecret', { name: 'Search index' })(stage).click()
      await button('kit.close')(stage).waitFor()
      await button('users.editOne', { name: 'Search index' })(stage).click()
      await button('settings.save')(stage).waitFor()
    },
    leavesNothing: true,
  },
  {
    name: 'providers',
    at: 'settings/sign-in',
    ready: button('users.editOne', { name: 'Example SSO' }),
    first: async (stage) => {
      await button('users.editOne', { name: 'Example SSO' })(stage).click()
      await button('hooks.test')(stage).click()
      await stage.page.getByText(stage.text('providers.testFails')).waitFor()
      await button('providers.addOne', { type: stage.text('providers.oidc') })(stage).click()
      await field('providers.id')(stage).waitFor()
    },
    shows: [{ name: 'remove a provider', from: button('providers.remove'), key: 'Enter' }],
    leavesNothing: true,
  },
  {
    name: 'sign-in method',
    at: 'settings/sign-in',
    ready: field('fields.signin.method'),
    first: async (stage) => {
      await field('fields.signin.method')(stage).selectOption('proxy')
    },
    shows: [{ name: 'password before a sign-in method', from: button('settings.save'), key: 'Enter' }],
    last: discard,
  },
  {
    name: 'start-up values',
    at: 'settings/global/server',
    ready: field('fields.server.tokenExpirationTime'),
    first: async (stage) => {
      await field('fields.server.tokenExpirationTime')(stage).fill('5h')
    },
    shows: [{ name: 'password before start-up values', from: button('settings.save'), key: 'Enter' }],
    last: discard,
  },
  {
    name: 'backup',
    at: 'settings/global/backup',
    ready: button('backup.choose'),
    shows: [
      { name: 'password before a backup', before: chooseBackup, from: button('backup.choose'), key: 'Enter' },
      {
        name: 'what a backup would replace',
        before: chooseBackup,
        from: button('backup.choose'),
        key: 'Enter',
        between: givePassword,
        ready: ({ page, text }) => page.getByRole('alertdialog', { name: text('backup.restore') }),
      },
    ],
  },
  ...(['accounts', 'new-users', 'uploads', 'rules', 'files', 'sessions', 'cache'] as const).map((section) => ({
    name: section,
    at: `settings/global/${section}`,
    ready: ({ page }: Stage) => page.getByRole('main').getByRole('heading', { level: 2 }).first(),
  })),
  { name: 'activity log', at: 'settings/activity', ready: button('audit.refresh') },
  {
    name: 'what somebody else changed, too',
    at: 'settings/global/branding',
    ready: field('fields.branding.name'),
    first: async (stage) => {
      await field('fields.branding.name')(stage).fill('Ours')
      await changeSettings(stage.daemon, { branding: { name: 'Theirs' } })
    },
    shows: [
      {
        name: 'two who changed the same',
        from: (stage) => region('settings.unsaved')(stage).getByRole('button', { name: stage.text('settings.save') }),
        key: 'Enter',
      },
    ],
  },
]
