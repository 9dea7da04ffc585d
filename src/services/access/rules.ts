import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { Group } from '../../domain/accounts/group.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { Right } from '../../domain/access/permissions.ts'
import {
  type AnyRule,
  MAX_RULES,
  type PermissionRule,
  type PreviewOfRules,
  type Rule,
} from '../../domain/access/rule.ts'
import { compileRules, type PatternCompiler } from '../../domain/access/rule-check.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from './access.ts'
import { replaceUser, requireUser } from '../stored-users.ts'
import { createExplain } from './explain.ts'
import { requireUsableRules } from './usable-rules.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { EVERYTHING } from './file-checks.ts'

/** Rules of a user or a group; otherwise the global ones. */
export interface RuleOwner {
  readonly userId?: UserId | undefined
  readonly groupId?: GroupId | undefined
}

export interface RulesDeps {
  readonly store: Store<StoreDocument>
  readonly access: AccessService
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/**
 * Changes single rules of the current list, so that concurrent changes do not overwrite each other. Rules are identified by
 * their position, from 0; later rules win. Those with permissions come last, since they do not depend on the others. All functions
 * throw FORBIDDEN, and NOT_FOUND for an unknown user or group.
 */
export function createRules({ store, access, compile, clock }: RulesDeps) {
  function list(actor: Actor, owner: RuleOwner = {}): readonly AnyRule[] {
    requireAdmin(actor, rightFor(owner))
    const document = store.snapshot()
    if (owner.groupId !== undefined) return joined(requireGroup(document, owner.groupId))
    return joined(owner.userId === undefined ? document.settings : requireUser(document, owner.userId))
  }

  /** @param at its position; by default the end. @throws INVALID_INPUT */
  async function add(actor: Actor, rule: AnyRule, { at, ...owner }: RuleOwner & { at?: number | undefined } = {}) {
    requireUsableRules([rule], compile)
    return await change(actor, owner, (rules) => {
      const { rules: plain, permissionRules } = parted([...rules, rule])
      if (Math.max(plain.length, permissionRules.length) > MAX_RULES)
        fail('INVALID_INPUT', `there can be at most ${MAX_RULES} rules; remove one first`)
      const position = at ?? rules.length
      if (position < 0 || position > rules.length) {
        fail('INVALID_INPUT', `there is no position ${position}; use one from 0 to ${rules.length}`, { field: 'at' })
      }
      return rules.toSpliced(position, 0, rule)
    })
  }

  /** Removes a range of rules, including both ends. @throws NOT_FOUND if there is no such rule */
  async function remove(actor: Actor, first: number, last: number, owner: RuleOwner = {}) {
    return await change(actor, owner, (rules) => {
      requireRule(rules, first)
      requireRule(rules, last)
      if (last < first) fail('INVALID_INPUT', `${last} comes before ${first}; begin with the first rule`)
      return rules.toSpliced(first, last - first + 1)
    })
  }

  /** @throws NOT_FOUND */
  async function move(actor: Actor, from: number, to: number, owner: RuleOwner = {}) {
    return await change(actor, owner, (rules) => {
      requireRule(rules, from)
      requireRule(rules, to)
      const moved = rules[from]
      return moved === undefined ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, moved)
    })
  }

  async function change(actor: Actor, owner: RuleOwner, alter: (rules: AnyRule[]) => AnyRule[]): Promise<AnyRule[]> {
    const { userId, groupId } = owner
    requireAdmin(actor, rightFor(owner))
    return await store.update((draft, now) => {
      requireAdmin(actor, rightFor(owner), now)
      if (groupId !== undefined) {
        const group = requireGroup(now, groupId)
        const lists = parted(alter(joined(group)))
        draft.groups = now.groups.map((each) => (each === group ? { ...group, ...lists } : each))
        return joined(lists)
      }
      if (userId === undefined) {
        const lists = parted(alter(joined(draft.settings)))
        draft.settings = { ...draft.settings, ...lists }
        return joined(lists)
      }
      const user = requireUser(now, userId)
      const lists = parted(alter(joined(user)))
      replaceUser(draft, now, user, { ...user, ...lists, updatedAt: clock.now() })
      return joined(lists)
    })
  }

  return {
    list,
    add,
    remove,
    move,
    preview: createPreview({ access, compile }),
    explain: createExplain({ access, store, compile }),
  }
}

/** The two lists in which rules are kept. */
interface RuleLists {
  readonly rules: readonly Rule[]
  readonly permissionRules: readonly PermissionRule[]
}

function joined({ rules, permissionRules }: RuleLists): AnyRule[] {
  return [...rules, ...permissionRules.map((rule) => ({ ...rule, allow: true }))]
}

function parted(all: readonly AnyRule[]): { rules: Rule[]; permissionRules: PermissionRule[] } {
  const rules = all.flatMap(({ permissions, ...rule }) => (permissions === undefined ? [rule] : []))
  const permissionRules = all.flatMap(({ allow: _allow, permissions, ...rule }) =>
    permissions === undefined ? [] : [{ ...rule, permissions }],
  )
  return { rules, permissionRules }
}

function rightFor({ userId, groupId }: RuleOwner): Right {
  return userId === undefined && groupId === undefined ? 'settings.manage' : 'users.manage'
}

function requireGroup({ groups }: Readonly<StoreDocument>, id: GroupId): Group {
  return groups.find((group) => group.id === id) ?? fail('NOT_FOUND', 'there is no such group')
}

function requireRule(rules: readonly AnyRule[], position: number): void {
  if (rules[position] !== undefined) return
  const known = rules.length === 0 ? 'there are no rules' : `the last one is ${rules.length - 1}`
  fail('NOT_FOUND', `there is no rule ${position}; ${known}`)
}

export interface PreviewRequest {
  /** In order; later rules win. */
  readonly rules: readonly Rule[]
  /** The user whose scope is used; by default the caller. */
  readonly userId?: UserId | undefined
}

/** How many paths a preview lists, and how many entries it checks. */
const MAX_PATHS = 100
const MAX_ENTRIES = 100_000

/** Shows which files unsaved rules would hide if there were no others. For administrators. */
function createPreview({ access, compile }: { readonly access: AccessService; readonly compile: PatternCompiler }) {
  /** @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT for an invalid expression */
  async function preview(
    actor: Actor,
    { rules, userId }: PreviewRequest,
    signal?: AbortSignal,
  ): Promise<PreviewOfRules> {
    requireAdmin(actor, 'settings.manage')
    requireUsableRules(rules, compile)
    const permits = compileRules(rules, compile)
    using files = await access.ofScope(userId ?? ownId(actor))
    const paths: string[] = permits(ROOT) ? [] : [ROOT]
    let [count, looked, last] = [0, 0, paths[0] as VirtualPath | undefined]
    for await (const batch of files.scope.walk(ROOT, EVERYTHING, signal)) {
      for (const { path: text } of batch) {
        const path = text as VirtualPath
        if (!permits(path)) {
          count += 1
          // The contents of a hidden folder are not listed.
          if ((last === undefined || !isInside(last, path)) && paths.length < MAX_PATHS) paths.push((last = path))
        }
        if ((looked += 1) === MAX_ENTRIES) return { paths, count, looked, complete: false }
      }
    }
    return { paths, count, looked, complete: true }
  }

  return preview
}

function ownId(actor: Actor): UserId {
  return actor.kind === 'user' ? actor.id : fail('INVALID_INPUT', 'say whose files to check: name a user')
}
