import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { HOOK_EVENTS } from '../../../../src/domain/automation/hook.ts'
import type { Settings, WireSettings } from '../../../../src/domain/settings/settings.ts'
import type { DeepPartial } from '../../../../src/domain/schema/schema-tools.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { testContext } from '../../../helpers/test-context.ts'

const FORBIDDEN = errorLike('FORBIDDEN')
const noHooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, []]))

describe('the settings of a new instance', () => {
  it('are those that API clients expect', async () => {
    await using context = await testContext()
    expect(await context.services.settings.get(OPERATOR)).toEqual({
      signup: false,
      hideLoginButton: true,
      createUserDir: false,
      minimumPasswordLength: 12,
      userHomeBasePath: '/users',
      defaults: {
        scope: '.',
        locale: 'en',
        viewMode: 'mosaic',
        singleClick: false,
        redirectAfterCopyMove: true,
        sorting: { by: '', asc: false },
        perm: {
          admin: false,
          execute: true,
          create: true,
          rename: true,
          modify: true,
          delete: true,
          share: true,
          download: true,
        },
        commands: [],
        hideDotfiles: false,
        dateFormat: false,
        aceEditorTheme: '',
      },
      authMethod: 'json',
      rules: [],
      branding: { name: '', disableExternal: false, disableUsedPercentage: false, files: '', theme: '', color: '' },
      tus: { chunkSize: 10485760, retryCount: 5 },
      shell: [],
      commands: noHooks,
    })
  })
})

describe('replacing the settings', () => {
  it('keeps all that was given', async () => {
    await using context = await testContext()
    const { settings } = context.services
    const given: WireSettings = {
      ...(await settings.get(OPERATOR)),
      signup: true,
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(?i)\\.tmp$' } }],
      commands: { ...noHooks, before_copy: ['echo 1'], my_event: ['echo 2'] },
      branding: { ...settings.current().branding, name: 'It’s "ours"', theme: 'dark', color: '#ff0000' },
    }
    await settings.replace(OPERATOR, given)
    expect(await settings.get(OPERATOR)).toEqual(given)
  })

  it('fills in what clients leave empty', async () => {
    await using context = await testContext()
    const { settings } = context.services
    const present = await settings.get(OPERATOR)
    await settings.replace(OPERATOR, {
      ...present,
      minimumPasswordLength: 0,
      userHomeBasePath: '',
      rules: null,
      shell: null,
      commands: { before_save: null },
      tus: { chunkSize: 0, retryCount: 0 },
      defaults: { ...present.defaults, locale: '', viewMode: '', commands: null },
    })
    expect(await settings.get(OPERATOR)).toEqual(present)
  })

  it('never changes the sign-in method nor what the wire does not show', async () => {
    await using context = await testContext({ settings: { logoutPage: '/bye', sessionMaxAge: '7d' } })
    const { settings } = context.services
    const present = await settings.get(OPERATOR)
    await settings.replace(OPERATOR, { ...present, authMethod: 'noauth', logoutPage: '/evil', key: 'AAAA', unknown: 1 })
    expect(settings.current()).toMatchObject({ authMethod: 'json', logoutPage: '/bye', sessionMaxAge: '7d' })
    const { authMethod: _ignored, ...rest } = present
    await expect(settings.replace(OPERATOR, rest)).resolves.toBeUndefined()
  })

  const refused: [string, unknown, string?][] = [
    ['a list', []],
    ['null', null],
    ['a text for a switch', { signup: 'yes' }, 'signup'],
    ['a negative length', { minimumPasswordLength: -1 }, 'minimumPasswordLength'],
    ['too many retries', { tus: { chunkSize: 1, retryCount: 70_000 } }, 'tus.retryCount'],
    ['chunks of no bytes', { tus: { chunkSize: 0, retryCount: 3 } }, 'tus.chunkSize'],
    ['an unknown theme', { branding: { name: '', files: '', theme: 'pink', color: '' } }],
    ['a broken expression', { rules: [{ regex: true, allow: false, path: '', regexp: { raw: '[' } }] }, 'rules.0'],
    [
      'an expression that RE2 does not know',
      { rules: [{ regex: true, allow: true, path: '', regexp: { raw: '(?=a)' } }] },
      'rules.0',
    ],
    ['a rule without its expression', { rules: [{ regex: true, allow: false, path: '', regexp: null }] }, 'rules.0'],
  ]

  it.each(refused)('refuses %s and changes nothing', async (_name, change, field) => {
    await using context = await testContext()
    const { settings } = context.services
    const before = context.store.snapshot()
    const isWhole = typeof change !== 'object' || change === null || Array.isArray(change)
    const wire = isWhole ? change : { ...(await settings.get(OPERATOR)), ...change }
    await expect(settings.replace(OPERATOR, wire)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      ...(field === undefined ? {} : { details: { field } }),
    })
    expect(context.store.snapshot()).toEqual(before)
  })

  it('is refused when another change came first', async () => {
    await using context = await testContext()
    const { settings } = context.services
    const [original, ifMatch] = [await settings.get(OPERATOR), settings.etag()]
    await settings.replace(OPERATOR, { ...original, signup: true }, { ifMatch })
    const late = settings.replace(OPERATOR, { ...original, createUserDir: true }, { ifMatch })
    await expect(late).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
    expect(settings.current()).toMatchObject({ signup: true, createUserDir: false })
    await settings.replace(OPERATOR, original, { ifMatch: `"other", ${settings.etag()}` })
    await settings.replace(OPERATOR, original, { ifMatch: '*' })
    expect(settings.etag()).toBe(ifMatch)
  })
})

describe('changing single settings', () => {
  it('keeps all others', async () => {
    await using context = await testContext()
    const { settings } = context.services
    await settings.patch(OPERATOR, { branding: { name: 'Ours' }, tus: { chunkSize: 4096 } })
    expect(settings.current().branding).toEqual({ ...settings.current().branding, name: 'Ours', theme: '' })
    expect(settings.current().tus).toEqual({ chunkSize: 4096, retryCount: 5 })
  })

  it.each<[DeepPartial<Settings>, string]>([
    [{ sessionMaxAge: 'soon' }, 'sessionMaxAge'],
    [{ sessionMaxAge: '5s' }, 'sessionMaxAge'],
    [{ authMethod: 'proxy' }, 'trustedProxies'],
    [{ authMethod: 'hook' }, 'auth.command'],
    [{ authMethod: 'hook', auth: { command: ['no-such-program'] } }, 'auth.command'],
    [{ recaptcha: { secret: 's' } }, 'recaptcha.key'],
    [{ recaptcha: { host: 'https://evil.example', key: 'k', secret: 's' } }, 'recaptcha.host'],
    [{ tus: { retryCount: -1 } }, 'tus.retryCount'],
    [{ rules: [{ regex: true, allow: true, path: '', regexp: { raw: '(' } }] }, 'rules.0'],
  ])('refuses %j', async (change, field) => {
    await using context = await testContext()
    const patch = context.services.settings.patch(OPERATOR, change)
    await expect(patch).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
  })

  it('refuses unknown keys', async () => {
    await using context = await testContext()
    const patch = context.services.settings.patch(OPERATOR, { signUp: true } as never)
    await expect(patch).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

it('settings are for administrators', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const { settings } = context.services
  const bob = await context.actor('bob')
  await expect(settings.get(bob)).rejects.toEqual(FORBIDDEN)
  await expect(settings.replace(bob, {})).rejects.toEqual(FORBIDDEN)
  await expect(settings.patch(bob, { signup: true })).rejects.toEqual(FORBIDDEN)
  await expect(settings.get(await context.actor('admin'))).resolves.toBeDefined()
})
