import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freshSettings } from '../../../../src/services/server/setup.ts'
import { exportSettings, exportUsers, toYamlForm } from '../../../../src/import/filebrowser/export.ts'
import type { User } from '../../../../src/domain/accounts/user.ts'

const OLD = join(import.meta.dirname, '../../../fixtures/filebrowser-2.63')
const json = (name: string) => JSON.parse(readFileSync(join(OLD, name), 'utf8')) as Record<string, object>

/** Names at every depth, with the type of what they name. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, namesIn(inner)]))
}

describe('exportSettings', () => {
  const exported = exportSettings({ settings: freshSettings(), server: { root: '/srv', port: 9000, key: '/k.pem' } })

  it('writes the names that File Browser writes, in a form that it reads', () => {
    const { settings, server } = json('config.json') as { settings: Record<string, object>; server: object }
    const { commands: _events, ...others } = settings
    const { commands: _ours, ...ours } = exported.settings
    expect(namesIn(ours)).toEqual(namesIn(others))
    expect(namesIn(exported.server)).toEqual(namesIn(server))
    expect(exported.server).toMatchObject({ root: '/srv', port: '9000', tlsKey: '/k.pem', enableThumbnails: true })
  })

  it('makes a new key of 64 bytes each time', () => {
    const again = exportSettings({ settings: freshSettings(), server: {} })
    expect(Buffer.from(exported.settings.key, 'base64')).toHaveLength(64)
    expect(again.settings.key).not.toBe(exported.settings.key)
  })
})

/** What File Browser does not have. */
const OURS = { places: [], permissionRules: [] }

describe('exportUsers', () => {
  it('writes accounts as they came', () => {
    const wire = json('users.json') as unknown as { password: string }[]
    const users = wire.map(({ password, ...user }) => ({ ...user, ...OURS, passwordHash: password, updatedAt: 1 }))
    const exported = exportUsers(users.toReversed() as unknown as User[])
    expect(exported).toEqual({ users: wire, withoutPassword: [], losing: [] })
  })

  it('names those who lose a root or places, and shows nobody another folder instead', () => {
    const rules: User['rules'] = []
    const users = [
      { username: 'ann', root: 'none', scope: '/', rules },
      { username: 'bob', places: [{ root: 'files' }], rules },
      { username: 'eve', permissionRules: [{ path: '/' }], rules },
      { username: 'tim', rules },
    ].map((user) => ({ ...OURS, ...user, passwordHash: '' }) as unknown as User)
    const { losing, users: written } = exportUsers(users)
    expect(losing).toEqual(['ann', 'bob', 'eve'])
    expect(written.map((user) => (user as User).rules.map(({ path }) => path))).toEqual([['/'], [], [], []])
  })

  it('names those whose password File Browser cannot check', () => {
    const user = { ...OURS, username: 'eve', passwordHash: '$argon2id$v=19$…' } as unknown as User
    expect(exportUsers([user]).withoutPassword).toEqual(['eve'])
  })
})

describe('toYamlForm', () => {
  it('gives what File Browser writes as YAML', () => {
    for (const name of ['config', 'users']) {
      const yaml = parse(readFileSync(join(OLD, `${name}.yaml`), 'utf8')) as unknown
      expect(toYamlForm(json(`${name}.json`))).toEqual(yaml)
    }
  })
})
