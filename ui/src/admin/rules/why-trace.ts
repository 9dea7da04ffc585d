import type { Explanation, Obstacle } from '../../../../src/domain/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/rule-check.ts'
/** One step of how the server came to its answer. */
export type TraceStep =
  | { readonly kind: 'permission'; readonly name: string; readonly state: 'given' | 'missing' | 'read-only' }
  | { readonly kind: 'scope'; readonly message: string | undefined }
  | { readonly kind: 'rule'; readonly placed: PlacedRule; readonly decides: boolean }
  | { readonly kind: 'no-rule' }
  /** A rule about something further in, where a whole folder is concerned. */
  | { readonly kind: 'inner'; readonly placed: PlacedRule; readonly path: string }
  | { readonly kind: 'dotfile' | 'root' }
  | { readonly kind: 'disk'; readonly message: string }

/** The way to the answer, in the order in which it was decided: permissions, scope, rules, what else stands against it. */
export function traceOf({ path, needs, obstacles, matching, rule }: Explanation): TraceStep[] {
  const find = (kind: Obstacle['kind']) => obstacles.filter((obstacle) => obstacle.kind === kind)
  const permissions = needs.map((name): TraceStep => {
    const isAbout = ({ permission }: Obstacle): boolean => permission === name
    const state = find('permission').some(isAbout) ? 'missing' : find('read-only').some(isAbout) ? 'read-only' : 'given'
    return { kind: 'permission', name, state }
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
  return [
    ...permissions,
    { kind: 'scope', message: undefined },
    ...(rules.length > 0 ? rules : [{ kind: 'no-rule' } as const]),
    ...inner,
    ...find('dotfile').map((): TraceStep => ({ kind: 'dotfile' })),
    ...find('root').map((): TraceStep => ({ kind: 'root' })),
    ...find('disk').map(({ message }): TraceStep => ({ kind: 'disk', message })),
  ]
}

/** Whether a step alone is a reason to refuse. */
export function refuses(step: TraceStep): boolean {
  if (step.kind === 'permission') return step.state !== 'given'
  if (step.kind === 'scope') return step.message !== undefined
  if (step.kind === 'rule') return step.decides && !step.placed.rule.allow
  return step.kind !== 'no-rule'
}
