import { describe, expect, it } from 'vitest'
import { compileRules, createPathJudge, type PathRule } from '../../../../src/domain/access/rule-check.ts'
import type { PathPermission, PermissionRule, Rule } from '../../../../src/domain/access/rule.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): Rule => ({ ...deny(path), allow: true })
const denyAll = (raw: string): Rule => ({ regex: true, allow: false, path: '/ignored', regexp: { raw } })

const allowAll = (raw: string): Rule => ({ ...denyAll(raw), allow: true })

const check = (rules: PathRule[]) => {
  const isAllowed = compileRules(rules, compilePattern)
  return (path: string) => isAllowed(parseVirtualPath(path))
}

describe('a rule for a path', () => {
  it.each([
    ['/secret', '/secret', false],
    ['/secret', '/secret/a/b', false],
    ['/docs/', '/docs', true],
    ['/docs/', '/docs/a', false],
    ['/', '/', false],
    ['', '/a', false],
    ['secret', '/secret', true],
    ['/a.c', '/abc', true],
    ['/Secret', '/secret', false],
  ])('%j judges %s', (rule, path, allowed) => {
    expect(check([deny(rule)])(path)).toBe(allowed)
  })

  it.each(['/admin_backup', '/admin2/x', '/administrator'])(
    'CVE-2026-35605: "/admin" does not cover %s, which only begins alike',
    (path) => {
      expect(check([deny('/admin')])(path)).toBe(true)
    },
  )

  it.each(['//secret', '/secret//x', 'secret/x/'])(
    'CVE-2026-25890: %s is the same path as without the doubled slash',
    (path) => {
      expect(check([deny('/secret')])(path)).toBe(false)
    },
  )

  it.each([
    ['composed', '/caf\u00e9', '/cafe\u0301/x'],
    ['decomposed', '/cafe\u0301', '/caf\u00e9/x'],
    ['in the Turkish way', '/İstanbul', '/istanbul/x'],
    ['in capitals', '/ISTANBUL', '/ıstanbul/x'],
    ['with a sigma at its end', '/ΟΔΟΣ/', '/οδοσ/x'],
    ['with an invisible character', '/se\u00adcret', '/secret/x'],
  ])('written %s also covers the other forms of Unicode', (_, rule, path) => {
    expect(check([deny(rule)])(path)).toBe(false)
  })
})

describe('the last rule that matches', () => {
  it('wins, whatever stands before it', () => {
    const isAllowed = check([deny('/'), allow('/open'), deny('/open/not'), allow('/open/not/yet')])
    expect(['/x', '/open/x', '/open/not/x', '/open/not/yet'].map(isAllowed)).toEqual([false, true, false, true])
  })
})

describe('an expression', () => {
  it.each([
    ['\\.key$', '/a/id.key', false],
    ['\\.key$', '/a/id.key.txt', true],
    ['^/docs$', '/docs', false],
    ['^/docs$', '/docs/a', true],
    ['(?i)SECRET', '/a/my secrets', false],
    ['SECRET', '/secret', false],
    ['^/[A-Z]+$', '/lower', false],
  ])('%s judges %s', (raw, path, allowed) => {
    expect(check([denyAll(raw)])(path)).toBe(allowed)
  })

  it('matches a name in every form of Unicode', () => {
    expect(check([denyAll('caf\u00e9$')])('/cafe\u0301')).toBe(false)
    expect(check([denyAll('cafe\u0301$')])('/caf\u00e9')).toBe(false)
    for (const pattern of ['i\u0307stanbul', 'İstanbul', 'istanbul'])
      expect(check([denyAll(pattern)])('/İstanbul'), pattern).toBe(false)
    expect(check([denyAll('straße')])('/STRASSE')).toBe(true)
    expect(check([denyAll('strasse')])('/Straße')).toBe(false)
  })

  it('takes time in proportion to the length of the path', () => {
    const isAllowed = check([denyAll('^/(a+)+$')])
    expect(isAllowed(`/${'a'.repeat(200)}!`)).toBe(true)
  })
})

describe('a rule that denies', () => {
  it.each(['/SECRET', '/\u017fecret', '/se\u00adcret', '/Secret/X'])(
    'covers %s, which some disks take for "/secret"',
    (path) => {
      expect(check([deny('/secret')])(path)).toBe(false)
      expect(check([denyAll('^/secret')])(path)).toBe(false)
    },
  )

  it('with "ß" also covers "ẞ" and "SS"', () => {
    const isAllowed = check([deny('/Straße')])
    expect(['/STRA\u1e9eE', '/strasse'].map(isAllowed)).toEqual([false, false])
  })
})

describe('a rule that allows', () => {
  it('does not cover a name in another case', () => {
    const isAllowed = check([deny('/'), allow('/Open'), allowAll('^/Free')])
    expect(['/Open/a', '/open/a', '/Free', '/free'].map(isAllowed)).toEqual([true, false, true, false])
  })

  it('allows a name again that a rule in another case denies', () => {
    const isAllowed = check([deny('/Private'), allow('/private')])
    expect(['/Private', '/PRIVATE', '/private/a'].map(isAllowed)).toEqual([false, false, true])
  })

  it.each(['/caf\u00e9', '/cafe\u0301'])('covers %j in the other form of Unicode', (path) => {
    expect(check([deny('/'), allow(path)])('/cafe\u0301')).toBe(true)
    expect(check([deny('/'), allow(path)])('/caf\u00e9')).toBe(true)
  })
})

describe('the limit of an API token', () => {
  const outside = (path: string): PathRule => ({ allow: false, outside: parseVirtualPath(path) })

  it('denies everything outside its folder, whatever rules allow', () => {
    const isAllowed = check([allow('/'), deny('/in/not'), outside('/in')])
    expect(['/', '/other', '/inner', '/in', '/in/a', '/in/not/a'].map(isAllowed)).toEqual([
      ...[false, false, false, true, true],
      false,
    ])
  })

  it('is compared exactly: another spelling is denied, even where a disk takes it for the same folder', () => {
    const isAllowed = check([outside('/caf\u00e9')])
    expect(['/caf\u00e9/a', '/cafe\u0301/a', '/CAF\u00c9/a'].map(isAllowed)).toEqual([true, false, false])
  })
})

describe('rules with permissions', () => {
  const only = (path: string, ...permissions: PathPermission[]): PermissionRule => ({
    regex: false,
    path,
    regexp: null,
    permissions,
  })
  const pattern = (raw: string, ...permissions: PathPermission[]): PermissionRule => ({
    ...only('', ...permissions),
    regex: true,
    regexp: { raw },
  })
  const decided = (rules: PermissionRule[], path: string) => {
    const lists = { global: [], group: [], user: [], 'built-in': [] }
    const permissionLists = { global: rules, group: [], user: [] }
    const judge = createPathJudge({ lists, permissionLists, hideDotfiles: false }, compilePattern)
    expect(judge.allows(parseVirtualPath(path))).toBe(true)
    return Object.entries(judge.permissionsBy(parseVirtualPath(path)))
      .map(([name, { has }]) => `${has ? '+' : '-'}${name}`)
      .toSorted()
      .join(' ')
  }
  const NOTHING = '-create -delete -download -modify -rename -share'

  it.each<[string, PermissionRule[], string, string]>([
    ['nothing about other paths', [only('/shared', 'download')], '/other', ''],
    ['all about a path and what is beneath', [only('/a')], '/a/b', NOTHING],
    ['only about what is inside with a slash', [only('/a/')], '/a', ''],
    ['by the last that matches', [only('/a'), only('/a/b', 'download')], '/a/b/c', NOTHING.replace('-down', '+down')],
    ['by the last, also if it is wider', [only('/a/b', 'create'), only('/a')], '/a/b', NOTHING],
    ['by an expression', [pattern('\\.pdf$', 'download')], '/x.pdf', NOTHING.replace('-down', '+down')],
    [
      'by taking, but not giving, in another spelling',
      [only('/A', 'download')],
      '/a',
      NOTHING.replace('-download ', ''),
    ],
    [
      'by what comes before, for what another spelling does not take',
      [only('/a', 'download', 'share'), only('/A', 'download', 'create')],
      '/a',
      '-create -delete -modify -rename -share +download'.split(' ').toSorted().join(' '),
    ],
  ])('decide %s', (_, rules, path, expected) => {
    expect(decided(rules, path)).toBe(expected.split(' ').toSorted().join(' '))
  })
})
