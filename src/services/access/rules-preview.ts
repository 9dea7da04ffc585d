import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { PermissionRule, PreviewOfRules, Rule } from '../../domain/access/rule.ts'
import { compileRules, type PatternCompiler } from '../../domain/access/rule-check.ts'
import { fail } from '../../domain/errors.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { UserId } from '../../domain/ids.ts'
import { type RootFolder, servedFolderOf } from '../../domain/server/root.ts'
import { type Storage, storagePathOf } from '../../storage/storage.ts'
import type { AccessService } from './access.ts'
import { EVERYTHING } from './file-checks.ts'
import { requireUsableRules } from './usable-rules.ts'

export interface PreviewRequest {
  /** In order; later rules win. */
  readonly rules: readonly Rule[]
  readonly permissionRules?: readonly PermissionRule[] | undefined
  /** The user whose scope is used; by default the caller. */
  readonly userId?: UserId | undefined
  /** Instead of a scope: the folder of a place. */
  readonly folder?: RootFolder | undefined
}

/** How many paths a preview lists, and how many entries it checks. */
const MAX_PATHS = 100
const MAX_ENTRIES = 100_000

export interface PreviewDeps {
  readonly access: AccessService
  readonly storage: Pick<Storage, 'openScope'>
  readonly compile: PatternCompiler
}

/**
 * Shows which files unsaved rules would hide if there were no others, and for which those with permissions would decide what may be
 * done. For administrators.
 */
export function createPreview({ access, storage, compile }: PreviewDeps) {
  /** @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT for an invalid expression */
  async function preview(
    actor: Actor,
    { rules, permissionRules = [], userId, folder }: PreviewRequest,
    signal?: AbortSignal,
  ): Promise<PreviewOfRules> {
    requireAdmin(actor, 'settings.manage')
    requireUsableRules(rules, compile)
    requireUsableRules(permissionRules, compile, 'permissionRules')
    const permits = compileRules(rules, compile)
    // What may be done is decided for all spellings, as what is hidden.
    const denying = permissionRules.map(({ permissions: _given, ...rule }) => ({ ...rule, allow: false }))
    const leavesOpen = compileRules(denying, compile)
    const [hidden, decided] = [new Found(!permits(ROOT)), new Found(!leavesOpen(ROOT))]
    let looked = 0
    const result = (complete: boolean): PreviewOfRules => ({
      ...hidden.listed(),
      looked,
      complete,
      ...(permissionRules.length > 0 && { decided: decided.listed() }),
    })
    using opened =
      folder === undefined
        ? await access.ofScope(userId ?? ownId(actor))
        : await folderScope(storage, servedFolderOf(folder))
    for await (const batch of opened.scope.walk(ROOT, EVERYTHING, signal)) {
      for (const { path: text } of batch) {
        const path = text as VirtualPath
        if (!permits(path)) hidden.add(path)
        if (!leavesOpen(path)) decided.add(path)
        if ((looked += 1) === MAX_ENTRIES) return result(false)
      }
    }
    return result(true)
  }

  return preview
}

/** Entries that rules are about. Of a folder, only itself is listed, and not its contents. */
class Found {
  readonly #paths: VirtualPath[]
  #count = 0
  #last: VirtualPath | undefined

  constructor(hasAll: boolean) {
    this.#paths = hasAll ? [ROOT] : []
    this.#last = this.#paths[0]
  }

  add(path: VirtualPath): void {
    this.#count += 1
    if ((this.#last === undefined || !isInside(this.#last, path)) && this.#paths.length < MAX_PATHS)
      this.#paths.push((this.#last = path))
  }

  listed(): { paths: string[]; count: number } {
    return { paths: [...this.#paths], count: this.#count }
  }
}

async function folderScope(storage: PreviewDeps['storage'], folder: VirtualPath) {
  const scope = await storage.openScope(storagePathOf(folder), 'inside')
  return { scope, [Symbol.dispose]: () => scope[Symbol.dispose]() }
}

function ownId(actor: Actor): UserId {
  return actor.kind === 'user' ? actor.id : fail('INVALID_INPUT', 'say whose files to check: name a user')
}
