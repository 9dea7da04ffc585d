import { addRule, listRules, moveRule, removeRules } from '../../api/access/operator.ts'
import { previewRules, why, whyIf } from '../../api/access/rules.ts'
import type { Rule } from '../../domain/access/rule.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Services } from '../../services/index.ts'
import { handler } from '../handler.ts'

export const ruleHandlers = {
  why: handler(
    why,
    async ({ actor, query: { user, action, path }, signal }, { services: { rules, users } }) =>
      await rules.explain(actor, { userId: users.find(user).id, action, path }, signal),
  ),

  whyIf: handler(
    whyIf,
    async ({ actor, body: { user, action, path, supposed }, signal }, { services: { rules, users } }) =>
      await rules.explain(actor, { userId: users.find(user).id, action, path, supposed }, signal),
  ),

  preview: handler(
    previewRules,
    async ({ actor, body, signal }, { services }) =>
      await services.rules.preview(actor, { rules: body.rules, ...ownerOf(body, services) }, signal),
    ({ body: { rules } }) => rules.map(patternOf).join(' '),
  ),

  list: handler(listRules, ({ actor, query }, { services }) => [
    ...services.rules.list(actor, ownerOf(query, services)),
  ]),

  add: handler(
    addRule,
    async ({ actor, query, body: { rule, at } }, { services }) =>
      await services.rules.add(actor, rule, { ...ownerOf(query, services), at }),
    ({ query: { user }, body: { rule } }) => user ?? patternOf(rule),
  ),

  remove: handler(
    removeRules,
    async ({ actor, query, body: { first, last } }, { services }) =>
      await services.rules.remove(actor, first, last, ownerOf(query, services)),
    ({ query: { user }, body: { first } }) => user ?? String(first),
  ),

  move: handler(
    moveRule,
    async ({ actor, query, body: { from, to } }, { services }) =>
      await services.rules.move(actor, from, to, ownerOf(query, services)),
    ({ query: { user }, body: { from } }) => user ?? String(from),
  ),
}

function ownerOf({ user }: { user?: string | undefined }, { users }: Pick<Services, 'users'>): { userId?: UserId } {
  return user === undefined ? {} : { userId: users.find(user).id }
}

function patternOf({ regex, path, regexp }: Rule): string {
  return regex ? (regexp?.raw ?? '') : path
}
