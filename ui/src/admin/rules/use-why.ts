import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { why, whyIf } from '../../../../src/api/access/rules.ts'
import type { Action, Explanation, Supposed, Obstacle } from '../../../../src/domain/access/explanation.ts'
import type { PermissionRule } from '../../../../src/domain/access/rule.ts'
import { useClient } from '../../api/client.ts'
import { useSettled } from '../../lib/hooks.ts'
import type { PlacedRule } from '../../../../src/domain/access/rule-check.ts'

interface WhyOf {
  /** Username or "id:7"; undefined if the user is chosen on the card. */
  readonly user: string | undefined
  /** Unsaved changes; undefined if there are none. */
  readonly supposed: Supposed | undefined
}

/** Milliseconds without typing before the server is asked. */
const PAUSE = 300

/** Asks the server what a user may do at a path, with unsaved changes applied. */
export function useWhy({ user: given, supposed }: WhyOf) {
  const client = useClient()
  const [chosen, setChosen] = useState<string>()
  const [asked, setAsked] = useState<{ action: Action; path: string }>({ action: 'read', path: '' })
  const user = given ?? chosen
  const question = useMemo(() => JSON.stringify({ user, ...asked, supposed }), [user, asked, supposed])
  const settled = useSettled(question, PAUSE)
  const enabled = user !== undefined && asked.path.startsWith('/')
  const { data, error, isFetching } = useQuery({
    queryKey: ['why', settled],
    queryFn: async ({ signal }) => {
      const { supposed: draft, ...query } = JSON.parse(settled) as Question
      if (draft === undefined) return await client.call(why, { query, signal })
      return await client.call(whyIf, { body: { ...query, supposed: draft }, signal })
    },
    enabled: enabled && (JSON.parse(settled) as Question).path.startsWith('/'),
    placeholderData: keepPreviousData,
    throwOnError: false,
    staleTime: 0,
    gcTime: 0,
  })
  return {
    user,
    ...asked,
    answer: enabled && error === null ? data : undefined,
    error: enabled ? error : null,
    busy: isFetching || question !== settled,
    choose: setChosen,
    ask: (action: Action, path: string) => setAsked({ action, path }),
  }
}

export type WhyState = ReturnType<typeof useWhy>

interface Question {
  readonly user: string
  readonly action: Action
  readonly path: string
  readonly supposed?: Supposed
}

export type PermissionState = 'given' | 'missing' | 'denied' | 'read-only'

/** One step of the explanation. */
export type TraceStep =
  | {
      readonly kind: 'permission'
      readonly name: string
      readonly state: PermissionState
      readonly by: readonly string[]
      /** The rule that decides about it here. */
      readonly placed: PlacedRule<PermissionRule> | undefined
    }
  | { readonly kind: 'scope'; readonly message: string | undefined }
  /** The path is in a folder that is given besides the own one. */
  | { readonly kind: 'place'; readonly place: NonNullable<Explanation['place']> }
  | { readonly kind: 'rule'; readonly placed: PlacedRule; readonly decides: boolean }
  | { readonly kind: 'no-rule' }
  /** A rule about something inside the folder. */
  | { readonly kind: 'inner'; readonly placed: PlacedRule; readonly path: string }
  | {
      readonly kind: 'inner-permission'
      readonly name: string
      readonly placed: PlacedRule<PermissionRule>
      readonly path: string
    }
  | { readonly kind: 'dotfile' | 'root' }
  | { readonly kind: 'disk'; readonly message: string }

/** The explanation in the order of evaluation: permissions, scope, rules, other obstacles. */
export function traceOf(answer: Explanation): TraceStep[] {
  const { path, needs, by, permissionRules = [], obstacles, matching, rule, place } = answer
  const find = (kind: Obstacle['kind']) => obstacles.filter((obstacle) => obstacle.kind === kind)
  const permissions = needs.map((name): TraceStep => {
    const isAbout = (obstacle: Obstacle): boolean => obstacle.permission === name && obstacle.path === path
    const missing = find('permission').find(isAbout)
    const lack = missing?.denied === true ? 'denied' : 'missing'
    const state = missing !== undefined ? lack : find('read-only').some(isAbout) ? 'read-only' : 'given'
    const givers = by.filter(({ permission }) => permission === name).map(({ group }) => group)
    const { placed } = permissionRules.find(({ permission }) => permission === name) ?? {}
    return { kind: 'permission', name, state, by: givers, placed }
  })
  const scope = find('scope')[0]
  if (scope !== undefined) return [...permissions, { kind: 'scope', message: scope.message }]
  const rules = matching.map((placed, index): TraceStep => {
    return { kind: 'rule', placed, decides: rule !== null && index === matching.length - 1 }
  })
  const inner = find('rule').flatMap((obstacle): TraceStep[] =>
    obstacle.rule !== undefined && obstacle.path !== path
      ? [{ kind: 'inner', placed: obstacle.rule, path: obstacle.path }]
      : [],
  )
  const innerPermissions = find('permission').flatMap(({ permission = '', permissionRule: placed, path: at }) =>
    placed === undefined || at === path
      ? []
      : [{ kind: 'inner-permission', name: permission, placed, path: at } as const],
  )
  return [
    ...(place === undefined ? [] : [{ kind: 'place', place } as const]),
    ...permissions,
    { kind: 'scope', message: undefined },
    ...(rules.length > 0 ? rules : [{ kind: 'no-rule' } as const]),
    ...inner,
    ...innerPermissions,
    ...find('dotfile').map((): TraceStep => ({ kind: 'dotfile' })),
    ...find('root').map((): TraceStep => ({ kind: 'root' })),
    ...find('disk').map(({ message }): TraceStep => ({ kind: 'disk', message })),
  ]
}

/** Whether this step alone denies access. */
export function refuses(step: TraceStep): boolean {
  if (step.kind === 'permission') return step.state !== 'given'
  if (step.kind === 'scope') return step.message !== undefined
  if (step.kind === 'rule') return step.decides && !step.placed.rule.allow
  return step.kind !== 'no-rule' && step.kind !== 'place'
}
