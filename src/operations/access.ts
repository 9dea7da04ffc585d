import {
  addRule,
  listQuotasAsOperator,
  listRules,
  moveRule,
  recountQuotas,
  removeRules,
} from '../api/access/operator.ts'
import { listQuotas, recountQuota } from '../api/access/quotas.ts'
import { previewRules, why, whyIf } from '../api/access/rules.ts'
import type { Rule } from '../domain/access/rule.ts'
import { fail } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { BodyOf } from '../api/operation.ts'
import type { PreviewRequest } from '../services/access/rules-preview.ts'
import { cleanScope } from '../services/accounts/users/home-folder.ts'
import { accountsNamed } from '../services/accounts/users/account-names.ts'
import type { RuleOwner } from '../services/access/rules.ts'
import type { Services } from '../services/index.ts'
import { handler } from './handler.ts'

export const accessHandlers = [
  handler(listQuotas, async ({ actor }, { services: { quotas } }) => await quotas.list(actor)),

  handler(
    recountQuota,
    async ({ actor, params, signal }, { services: { quotas } }) =>
      await quotas.recount(actor, Number(params.id) as UserId, signal),
  ),

  // A person who asks once waits for the count; the page asks again.
  handler(
    listQuotasAsOperator,
    async ({ actor, signal }, { services: { quotas } }) =>
      await Array.fromAsync(await quotas.list(actor), async (quota) =>
        quota.used === null ? await quotas.recount(actor, quota.userId as UserId, signal) : quota,
      ),
  ),

  handler(recountQuotas, async ({ actor, query: { user }, signal }, { services: { quotas } }) => {
    const all = await quotas.list(actor)
    const chosen =
      user === undefined ? all : [...accountsNamed(all, user), ...all.filter(({ userId }) => user === `id:${userId}`)]
    if (user !== undefined && chosen.length === 0) fail('NOT_FOUND', `there is no user "${user}" with a quota`)
    return await Array.fromAsync(chosen, async ({ userId }) => await quotas.recount(actor, userId as UserId, signal))
  }),

  handler(
    why,
    async ({ actor, query: { user, action, path }, signal }, { services: { rules, users } }) =>
      await rules.explain(actor, { userId: users.find(user).id, action, path }, signal),
  ),

  handler(
    whyIf,
    async ({ actor, body: { user, action, path, supposed }, signal }, { services: { rules, users } }) =>
      await rules.explain(actor, { userId: users.find(user).id, action, path, supposed }, signal),
  ),

  handler(
    previewRules,
    async ({ actor, body, signal }, { services }) =>
      await services.rules.preview(actor, previewOf(body, services), signal),
    ({ body: { rules, permissionRules = [] } }) => [...rules, ...permissionRules].map(patternOf).join(' '),
  ),

  handler(listRules, ({ actor, query }, { services }) => [...services.rules.list(actor, ownerOf(query, services))]),

  handler(
    addRule,
    async ({ actor, query, body: { rule, at } }, { services }) =>
      await services.rules.add(actor, rule, { ...ownerOf(query, services), at }),
    ({ query: { user, group }, body: { rule } }) => user ?? group ?? patternOf(rule),
  ),

  handler(
    removeRules,
    async ({ actor, query, body: { first, last } }, { services }) =>
      await services.rules.remove(actor, first, last, ownerOf(query, services)),
    ({ query: { user, group }, body: { first } }) => user ?? group ?? String(first),
  ),

  handler(
    moveRule,
    async ({ actor, query, body: { from, to } }, { services }) =>
      await services.rules.move(actor, from, to, ownerOf(query, services)),
    ({ query: { user, group }, body: { from } }) => user ?? group ?? String(from),
  ),
]

interface OwnerNames {
  readonly user?: string | undefined
  readonly group?: string | undefined
  readonly root?: string | undefined
  readonly folder?: string | undefined
}

function ownerOf(
  { user, group, root, folder }: OwnerNames,
  services: Pick<Services, 'users' | 'groups' | 'roots'>,
): RuleOwner {
  const { users, groups, roots } = services
  if (user !== undefined && group !== undefined)
    fail('INVALID_INPUT', 'name either a user or a group', { field: 'group' })
  if (root === undefined && folder !== undefined)
    fail('INVALID_INPUT', 'name the root that has the folder', { field: 'root' })
  const place = root === undefined ? {} : { place: { root: roots.find(root), folder } }
  if (group !== undefined) return { groupId: groups.find(group).id, ...place }
  if (user !== undefined) return { userId: users.find(user).id, ...place }
  if (root !== undefined) fail('INVALID_INPUT', 'say whose place it is: name a user or a group', { field: 'user' })
  return {}
}

function previewOf(
  { user, root, folder = '/', ...lists }: BodyOf<typeof previewRules>,
  { users, roots }: Pick<Services, 'users' | 'roots'>,
): PreviewRequest {
  if (root !== undefined) return { ...lists, folder: { root: roots.find(root), scope: cleanScope(folder) } }
  return { ...lists, ...(user !== undefined && { userId: users.find(user).id }) }
}

function patternOf({ regex, path, regexp }: Pick<Rule, 'regex' | 'path' | 'regexp'>): string {
  return regex ? (regexp?.raw ?? '') : path
}
