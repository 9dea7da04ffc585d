import { describe, expect, it } from 'vitest'
import type { Explanation, Obstacle } from '../../../../src/domain/access/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/access/rule-check.ts'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import {
  likelyMistake,
  dragTarget,
  moveRule,
  ruleIndexOf,
  textOf,
  withText,
} from '../../../../ui/src/admin/rules/rule-list.ts'
import { refuses, traceOf } from '../../../../ui/src/admin/rules/use-why.ts'
const deny = (path: string): Rule => ({ allow: false, regex: false, path, regexp: null })
const regex = (raw: string): Rule => ({ allow: false, regex: true, path: '', regexp: { raw } })

describe('a rule in the editor', () => {
  it('keeps its text when its kind changes', () => {
    expect(withText(deny('/a'), '/a', true)).toEqual(regex('/a'))
    expect(withText(regex('x$'), 'x$', false)).toEqual(deny('x$'))
    expect(textOf(withText(regex('x$'), 'y$'))).toBe('y$')
  })

  it('is flagged if it hides everything or can match nothing', () => {
    expect(['', '/'].map((path) => likelyMistake(deny(path)))).toEqual(['everything', 'everything'])
    expect(likelyMistake(deny('secret'))).toBe('never')
    expect(likelyMistake(regex(''))).toBe('everything')
    expect([deny('/secret'), regex('secret')].map(likelyMistake)).toEqual([undefined, undefined])
  })

  it('is found from the field in a server error', () => {
    expect(['rules.0', 'rules.12', 'rules', 'perm.share', undefined].map((field) => ruleIndexOf(field))).toEqual([
      0,
      12,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the order of rules', () => {
  const rules = ['/a', '/b', '/c'].map(deny)
  const paths = (list: readonly Rule[]) => list.map(({ path }) => path).join(' ')

  it('changes by moving one of them', () => {
    expect(paths(moveRule(rules, 0, 2))).toBe('/b /c /a')
    expect(paths(moveRule(rules, 2, 0))).toBe('/c /a /b')
    expect(moveRule(rules, 0, 3)).toBe(rules)
    expect(moveRule(rules, 5, 0)).toBe(rules)
  })

  it('follows the dragged row once it has passed the middle of another', () => {
    const rows = [0, 50, 100].map((top) => ({ top, height: 50 }))
    const to = (from: number, offset: number) => dragTarget({ rows, from, offset })
    expect([0, 49, 51, 101, 999].map((offset) => to(0, offset))).toEqual([0, 0, 1, 2, 2])
    expect([-49, -51, -999].map((offset) => to(2, offset))).toEqual([2, 1, 0])
  })
})

describe('the steps of an access decision', () => {
  const placed = (list: PlacedRule['list'], index: number, rule: Rule): PlacedRule => ({ list, index, rule })
  const answer = (more: Partial<Explanation>): Explanation => ({
    user: 'bob',
    action: 'delete',
    path: '/x',
    allowed: true,
    obstacles: [],
    needs: ['delete'],
    by: [],
    rule: null,
    matching: [],
    complete: true,
    exists: true,
    ...more,
  })
  const obstacle = (kind: Obstacle['kind'], more: Partial<Obstacle> = {}): Obstacle => {
    return { kind, path: '/x', message: kind, ...more }
  }

  it('are permissions, scope and rules; the last matching rule decides', () => {
    const [first, last] = [placed('global', 0, deny('/')), placed('user', 1, { ...deny('/x'), allow: true })]
    const steps = traceOf(answer({ matching: [first, last], rule: last }))
    expect(steps).toEqual([
      { kind: 'permission', name: 'delete', state: 'given', by: [] },
      { kind: 'scope', message: undefined },
      { kind: 'rule', placed: first, decides: false },
      { kind: 'rule', placed: last, decides: true },
    ])
    expect(steps.some(refuses)).toBe(false)
    expect(traceOf(answer({})).at(-1)).toEqual({ kind: 'no-rule' })
  })

  it('name the groups that give a permission, and say what the user is denied', () => {
    const by = ['Readers', 'Film crew'].map((group) => ({ permission: 'delete', group }))
    expect(traceOf(answer({ by }))[0]).toMatchObject({ state: 'given', by: ['Readers', 'Film crew'] })
    const denied = obstacle('permission', { permission: 'delete', denied: true })
    expect(traceOf(answer({ allowed: false, obstacles: [denied] }))[0]).toMatchObject({ state: 'denied', by: [] })
  })

  it('include every reason for a denial', () => {
    const rule = placed('user', 0, deny('/x'))
    const inner = placed('user', 1, deny('/x/y'))
    const reasons = (more: Partial<Explanation>) =>
      traceOf(answer({ allowed: false, ...more }))
        .filter(refuses)
        .map(({ kind }) => kind)
    expect(reasons({ obstacles: [obstacle('permission', { permission: 'delete' })] })).toEqual(['permission'])
    expect(reasons({ obstacles: [obstacle('read-only', { permission: 'delete' })] })).toEqual(['permission'])
    expect(reasons({ obstacles: [obstacle('rule', { rule })], rule, matching: [rule] })).toEqual(['rule'])
    expect(reasons({ obstacles: [obstacle('rule', { rule: inner, path: '/x/y' })] })).toEqual(['inner'])
    for (const kind of ['dotfile', 'root', 'disk', 'scope'] as const) {
      expect(reasons({ obstacles: [obstacle(kind)] })).toEqual([kind])
    }
  })
})
