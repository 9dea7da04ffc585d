import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MOST_RULES, type PreviewOfRules, type Rule } from '../../domain/access/rule.ts'
import { compileRules, type PatternCompiler } from '../../domain/access/rule-check.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from './access.ts'
import { replaceUser, requireUser } from '../accounts/users/account-change.ts'
import { createExplain } from './explain.ts'
import { requireUsableRules } from './usable-rules.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { EVERYTHING } from '../files/file-checks.ts'

/** Rules of a user, or the global ones. */
export interface RuleOwner {
  readonly userId?: UserId | undefined
}

export interface RulesDeps {
  readonly store: Store<StoreDocument>
  readonly access: Pick<AccessService, 'ofUser' | 'ofScope'>
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/**
 * One rule at a time, each change on the list as it is at that moment: two people who add a rule both have added theirs.
 * Rules are named by their place, from 0 on; the later ones win. All of it @throws FORBIDDEN, NOT_FOUND for an unknown user.
 */
export function createRules({ store, access, compile, clock }: RulesDeps) {
  function list(actor: Actor, { userId }: RuleOwner = {}): readonly Rule[] {
    requireAdmin(actor, userId === undefined ? 'settings.manage' : 'users.manage')
    const document = store.snapshot()
    return userId === undefined ? document.settings.rules : requireUser(document, userId).rules
  }

  /** @param at its place; behind all others unless told. @throws INVALID_INPUT */
  async function add(actor: Actor, rule: Rule, { userId, at }: RuleOwner & { at?: number | undefined } = {}) {
    requireUsableRules([rule], compile)
    return await change(actor, userId, (rules) => {
      if (rules.length >= MOST_RULES) fail('INVALID_INPUT', `there may be ${MOST_RULES} rules; remove one first`)
      const place = at ?? rules.length
      if (place < 0 || place > rules.length) {
        fail('INVALID_INPUT', `there is no place ${place}: take one from 0 to ${rules.length}`, { field: 'at' })
      }
      return rules.toSpliced(place, 0, rule)
    })
  }

  /** From one place to another, both included. @throws NOT_FOUND when there is no such rule */
  async function remove(actor: Actor, first: number, last: number, { userId }: RuleOwner = {}) {
    return await change(actor, userId, (rules) => {
      requirePlace(rules, first)
      requirePlace(rules, last)
      if (last < first) fail('INVALID_INPUT', `${last} comes before ${first}: name the first rule first`)
      return rules.toSpliced(first, last - first + 1)
    })
  }

  /** @throws NOT_FOUND */
  async function move(actor: Actor, from: number, to: number, { userId }: RuleOwner = {}) {
    return await change(actor, userId, (rules) => {
      requirePlace(rules, from)
      requirePlace(rules, to)
      const moved = rules[from]
      return moved === undefined ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, moved)
    })
  }

  async function change(actor: Actor, userId: UserId | undefined, alter: (rules: Rule[]) => Rule[]): Promise<Rule[]> {
    requireAdmin(actor, userId === undefined ? 'settings.manage' : 'users.manage')
    return await store.update((draft) => {
      if (userId === undefined) return (draft.settings.rules = alter(draft.settings.rules))
      const user = requireUser(draft, userId)
      const rules = alter(user.rules)
      replaceUser(draft, user, { ...user, rules, updatedAt: clock.now() })
      return rules
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

export type Rules = ReturnType<typeof createRules>

function requirePlace(rules: readonly Rule[], place: number): void {
  if (rules[place] !== undefined) return
  const known = rules.length === 0 ? 'there are no rules' : `the last one is ${rules.length - 1}`
  fail('NOT_FOUND', `there is no rule ${place}; ${known}`)
}

export interface PreviewDeps {
  readonly access: Pick<AccessService, 'ofScope'>
  readonly compile: PatternCompiler
}

export interface PreviewRequest {
  /** In the order in which they would count. */
  readonly rules: readonly Rule[]
  /** The user whose scope is used; by default the caller. */
  readonly userId?: UserId | undefined
}

const MOST_NAMED = 100
const MOST_LOOKED_AT = 100_000

/** What rules would hide if they were the only ones, before they are saved. For administrators. */
function createPreview({ access, compile }: PreviewDeps) {
  /** @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT for an expression that cannot be used */
  async function preview(
    actor: Actor,
    { rules, userId }: PreviewRequest,
    signal?: AbortSignal,
  ): Promise<PreviewOfRules> {
    requireAdmin(actor, 'settings.manage')
    requireUsableRules(rules, compile)
    const permits = compileRules(rules, compile)
    await using files = await access.ofScope(userId ?? ownId(actor))
    const paths: string[] = permits(ROOT) ? [] : [ROOT]
    let [count, looked, last] = [0, 0, paths[0] as VirtualPath | undefined]
    for await (const { path: text } of files.scope.walk(ROOT, EVERYTHING, signal)) {
      const path = text as VirtualPath
      if (!permits(path)) {
        count += 1
        // A hidden folder stands for everything in it.
        if ((last === undefined || !isInside(last, path)) && paths.length < MOST_NAMED) paths.push((last = path))
      }
      if ((looked += 1) === MOST_LOOKED_AT) return { paths, count, looked, complete: false }
    }
    return { paths, count, looked, complete: true }
  }

  return preview
}

function ownId(actor: Actor): UserId {
  return actor.kind === 'user' ? actor.user.id : fail('INVALID_INPUT', 'name the user whose files are meant')
}
