import { describe, expect, it } from 'vitest'
import type { Permissions } from '../../../../src/domain/access/permissions.ts'
import { matchRoute, redirectOf } from '../../../../ui/src/app/router.tsx'
import type { AppLocation } from '../../../../ui/src/lib/navigation/navigation.tsx'

const at = (href: string): AppLocation => {
  const { pathname, search, hash } = new URL(href, 'http://localhost')
  return { href, pathname, search, hash, state: { key: '', index: 0 } }
}

describe('an address', () => {
  it('has a screen, with and without a trailing slash', () => {
    for (const [address, path] of [
      ['/files', '/files/*'],
      ['/files/a%20b/c.txt', '/files/*'],
      ['/share/x1/photos/', '/share/*'],
      ['/trash/', '/trash'],
      ['/login', '/login'],
      ['/settings/users', '/settings/users'],
      ['/403', '/403'],
    ] as const) {
      expect(matchRoute(address)?.route.path, address).toBe(path)
    }
    expect(matchRoute('/settings/users/7')).toMatchObject({ route: { path: '/settings/users/:id' }, param: '7' })
    expect(matchRoute('/settings/global/hooks')).toMatchObject({ param: 'hooks' })
    expect(matchRoute('/filesystem')).toBeUndefined()
  })

  it('without a screen is a path of the files', () => {
    expect(redirectOf(at('/'))).toBe('/files/')
    expect(redirectOf(at('/photos/?x=1'))).toBe('/files/photos/?x=1')
    expect(redirectOf(at('/settings/nothing'))).toBe('/files/settings/nothing')
    expect(redirectOf(at('/files/photos/'))).toBeUndefined()
  })

  it('of the settings redirects to a page, also from older links', () => {
    expect(redirectOf(at('/settings'))).toBe('/settings/profile')
    expect(redirectOf(at('/settings/'))).toBe('/settings/profile')
    expect(redirectOf(at('/settings/global'))).toBe('/settings/global/accounts')
    expect(redirectOf(at('/settings/global#hooks'))).toBe('/settings/global/hooks')
    expect(redirectOf(at('/settings/global/sign-in'))).toBe('/settings/sign-in')
    expect(redirectOf(at('/settings/global#audit'))).toBe('/settings/activity')
  })
})

describe('a settings page', () => {
  it('is open to users with its permission', () => {
    const may = (path: string, perm: Partial<Permissions>) =>
      matchRoute(path)?.route.may?.({ admin: false, share: false, download: false, ...perm } as Permissions)
    expect(may('/settings/profile', {})).toBeUndefined()
    expect(may('/settings/shares', { share: true })).toBe(false)
    expect(may('/settings/shares', { share: true, download: true })).toBe(true)
    for (const path of ['/settings/global/hooks', '/settings/users', '/settings/users/1', '/settings/activity']) {
      expect(may(path, { share: true, download: true }), path).toBe(false)
      expect(may(path, { admin: true }), path).toBe(true)
    }
  })
})
