import { isFilemgrError } from '../../domain/errors.ts'
import { isSameTarget, type Share, type ShareTarget, type TargetState } from '../../domain/share.ts'
import { cleanVirtualPath, parseVirtualPath, type VirtualPath } from '../../domain/virtual-path.ts'
import type { User } from '../../domain/user.ts'
import type { AccessService } from '../access.ts'

export interface ShareTargets {
  /** What the path of a user leads to; undefined where nothing is, or nothing that can be had. */
  at(owner: User, path: VirtualPath): Promise<ShareTarget | undefined>
  /** Whether a share leads to what it was made of. */
  stateOf(share: Share, owner: User): Promise<TargetState>
}

export function createShareTargets({ access }: { readonly access: Pick<AccessService, 'ofScope'> }): ShareTargets {
  const at = async (owner: User, path: VirtualPath): Promise<ShareTarget | undefined> => {
    try {
      await using files = await access.ofScope(owner.id)
      return await files.scope.identify(path)
    } catch (error) {
      if (isFilemgrError(error) && error.code !== 'BUSY' && error.code !== 'CANCELLED') return undefined
      throw error
    }
  }

  return {
    at,
    async stateOf(share, owner) {
      const found = await at(owner, parseVirtualPath(share.path))
      if (found === undefined) return 'missing'
      const isBound = share.target !== undefined && isSameTarget(share.target, found)
      return isBound && share.scope === cleanVirtualPath(owner.scope) ? 'bound' : 'changed'
    },
  }
}
