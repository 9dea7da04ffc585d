import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { UserPatch } from '../../../../src/domain/accounts/user.ts'
import { FILES_ROOT } from '../../../../src/domain/server/root.ts'
import { setAt } from '../../../../src/domain/schema/schema-tools.ts'
import { OpenSettings, Settings, WireSettings } from '../../../../src/domain/settings/settings.ts'
import { testContext } from '../../../helpers/test-context.ts'

interface Node {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Node>>
}

/** Each field of a definition at any depth, also those that have fields. */
function fieldsOf(schema: TSchema | Node, path: readonly string[] = []): { path: readonly string[]; key: string }[] {
  return Object.entries((schema as Node).properties ?? {}).flatMap(([name, inner]) => {
    const own = [...path, name]
    return [{ path: own, key: own.join('.') }, ...fieldsOf(inner, own)]
  })
}

/** A body that has null in one place. */
function nullAt(path: readonly string[], rest: object = {}): Record<string, unknown> {
  const body = structuredClone(rest) as Record<string, unknown>
  setAt(body, path, null)
  return body
}

const RULES = [{ regex: false, allow: false, path: '/secret', regexp: null }]
/** Settings in which no list is empty. */
const SETTINGS = {
  rules: RULES,
  shell: ['sh'],
  defaults: { commands: ['git'] },
  commands: { after_save: ['echo'] },
}
const INVALID = { code: 'INVALID_INPUT' }

describe('null never resets', () => {
  it.each(fieldsOf(WireSettings).filter(({ key }) => key !== 'authMethod'))(
    'the setting $key, as old clients send it',
    async ({ path, key }) => {
      await using context = await testContext({ settings: SETTINGS })
      const { settings } = context.services
      const before = context.store.snapshot()
      const answer = settings.replace(OPERATOR, nullAt(path))
      await expect(answer).rejects.toMatchObject({ ...INVALID, details: { field: key } })
      expect(context.store.snapshot()).toEqual(before)
    },
  )

  it.each([['before_save'], ['after_save']])('the hooks of %s, unless there are none', async (event) => {
    await using context = await testContext({ settings: SETTINGS })
    const { settings } = context.services
    const answer = settings.replace(OPERATOR, { commands: { [event]: null } })
    if (event === 'after_save') await expect(answer).rejects.toMatchObject(INVALID)
    else await answer
    expect(settings.current().commands).toMatchObject({ after_save: ['echo'], before_save: [] })
  })

  it.each(fieldsOf(OpenSettings).filter(({ key }) => key !== 'authMethod'))(
    'the setting $key of the page',
    async ({ path }) => {
      await using context = await testContext()
      const { settings } = context.services
      const whole = settings.getAll(OPERATOR)
      await expect(settings.replaceAll(OPERATOR, nullAt(path, whole))).rejects.toMatchObject(INVALID)
    },
  )

  it.each(fieldsOf(Settings))('the setting $key of the command line and of imported settings', async ({ path }) => {
    await using context = await testContext()
    const { settings } = context.services
    await expect(settings.patch(OPERATOR, nullAt(path))).rejects.toMatchObject(INVALID)
  })

  it.each(fieldsOf(UserPatch))('the field $key of an account', async ({ path, key }) => {
    await using context = await testContext()
    const { users } = context.services
    const { id } = await users.create(OPERATOR, {
      username: 'ann',
      password: 'a good password',
      perm: { download: true, share: true },
      rules: RULES,
      commands: ['git'],
      favourites: ['/a'],
      recent: ['/b'],
      permissionRules: [{ regex: false, path: '/docs', regexp: null, permissions: ['download'] }],
      places: [{ root: FILES_ROOT, scope: '/team' }],
      denied: ['delete'],
      scope: '/ann',
    })
    const stored = () => context.store.snapshot().users.find((user) => user.id === id)
    const before = stored()
    const data = nullAt(path, { id, username: 'ann' })
    for (const which of [[], ['all'], [path[0]]]) {
      const answer = users.updateFromWire(OPERATOR, id, { what: 'user', which, data })
      await expect(answer, which.join()).rejects.toMatchObject({ ...INVALID, details: { field: key } })
    }
    expect(stored()).toEqual(before)
  })

  it('takes null as the empty list of a new account', async () => {
    await using context = await testContext()
    const { users } = context.services
    const data = { username: 'ben', password: 'a good password', rules: null, commands: null }
    expect(await users.createFromWire(OPERATOR, { what: 'user', which: [], data })).toMatchObject({ rules: [] })
    const lost = { ...data, username: 'eve', perm: null }
    await expect(users.createFromWire(OPERATOR, { what: 'user', which: [], data: lost })).rejects.toMatchObject(INVALID)
  })
})
