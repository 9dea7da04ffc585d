import type { Actor } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { requireRight } from '../../domain/permissions.ts'
import type { PreviewOfRules, Rule } from '../../domain/rule.ts'
import { compileRules, type PatternCompiler } from '../../domain/rule-check.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/virtual-path.ts'
import type { AccessService } from '../access.ts'
import { EVERYTHING } from '../survey.ts'
import { requireUsableRules } from './usable-rules.ts'
export interface PreviewDeps {
  readonly access: Pick<AccessService, 'ofScope'>
  readonly compile: PatternCompiler
}

export interface PreviewRequest {
  /** In the order in which they would count. */
  readonly rules: readonly Rule[]
  /** In whose scope; the own one of whoever asks unless told. */
  readonly userId?: UserId | undefined
}

const MOST_NAMED = 100
const MOST_LOOKED_AT = 100_000

/** What rules would hide if they were the only ones, before anybody saves them. For administrators. */
export function createPreview({ access, compile }: PreviewDeps) {
  /** @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT for an expression that cannot be used */
  async function preview(
    actor: Actor,
    { rules, userId }: PreviewRequest,
    signal?: AbortSignal,
  ): Promise<PreviewOfRules> {
    if (actor.kind === 'user') requireRight(actor.user.perm, 'settings.manage')
    requireUsableRules(rules, compile)
    const permits = compileRules(rules, compile)
    await using files = await access.ofScope(userId ?? ownId(actor))
    const paths: string[] = permits(ROOT) ? [] : [ROOT]
    let [count, looked, last] = [0, 0, paths[0] as VirtualPath | undefined]
    for await (const { path: text } of files.scope.walk(ROOT, EVERYTHING, signal)) {
      const path = text as VirtualPath
      if (!permits(path)) {
        count += 1
        // A folder stands for what is hidden in it.
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
