import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { Group } from '../../domain/accounts/group.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { Right } from '../../domain/access/permissions.ts'
import { type AnyRule, MAX_RULES, type PermissionRule, type Rule } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { type GivenPlace, placeOf, type PlaceRef } from '../../domain/accounts/place.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Storage } from '../../storage/storage.ts'
import { createPreview } from './rules-preview.ts'
import type { AccessService } from './access.ts'
import { replaceUser, requireUser } from '../stored-users.ts'
import { createExplain } from './explain.ts'
import { requireUsableRules } from './usable-rules.ts'

/** Rules of a user or a group, or of a place that one of them has; otherwise the global ones. */
export interface RuleOwner {
  readonly userId?: UserId | undefined
  readonly groupId?: GroupId | undefined
  readonly place?: PlaceRef | undefined
}

export interface RulesDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly access: AccessService
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/**
 * Changes single rules of the current list, so that concurrent changes do not overwrite each other. Rules are identified by
 * their position, from 0; later rules win. Those with permissions come last, since they do not depend on the others. All functions
 * throw FORBIDDEN, and NOT_FOUND for an unknown user or group.
 */
export function createRules({ store, storage, access, compile, clock }: RulesDeps) {
  function list(actor: Actor, owner: RuleOwner = {}): readonly AnyRule[] {
    requireAdmin(actor, rightFor(owner))
    const document = store.snapshot()
    const { userId, groupId, place } = owner
    const user = userId === undefined ? undefined : requireUser(document, userId)
    const holder = groupId === undefined ? user : requireGroup(document, groupId)
    if (holder === undefined) return joined(document.settings)
    return joined(place === undefined ? holder : placeOf(holder.places, place))
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
      let lists: RuleLists = NO_LISTS
      const altered = <L extends RuleLists>(before: L): L => {
        lists = parted(alter(joined(before)))
        return { ...before, ...lists }
      }
      const alteredIn = <H extends Holder>(holder: H): H => {
        if (owner.place === undefined) return altered(holder)
        const place = placeOf(holder.places, owner.place)
        return { ...holder, places: holder.places.map((each) => (each === place ? altered(place) : each)) }
      }
      if (groupId !== undefined) {
        const group = requireGroup(now, groupId)
        draft.groups = now.groups.map((each) => (each === group ? alteredIn(group) : each))
      } else if (userId === undefined) draft.settings = altered(draft.settings)
      else {
        const user = requireUser(now, userId)
        replaceUser(draft, now, user, { ...alteredIn(user), updatedAt: clock.now() })
      }
      return joined(lists)
    })
  }

  return {
    list,
    add,
    remove,
    move,
    preview: createPreview({ access, storage, compile }),
    explain: createExplain({ access, store, compile }),
  }
}

/** The two lists in which rules are kept. */
interface RuleLists {
  rules: Rule[]
  permissionRules: PermissionRule[]
}
type Holder = RuleLists & { readonly places: GivenPlace[] }

const NO_LISTS: RuleLists = { rules: [], permissionRules: [] }

function joined({ rules, permissionRules }: Readonly<RuleLists>): AnyRule[] {
  return [...rules, ...permissionRules.map((rule) => ({ ...rule, allow: true }))]
}

function parted(all: readonly AnyRule[]): RuleLists {
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
