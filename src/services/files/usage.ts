import type { Actor } from '../../domain/accounts/actor.ts'
import type { Usage } from '../../domain/files/resource.ts'
import { isSharedPath, SHARED_FOLDER } from '../../domain/shares/shared-folder.ts'
import { parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { AccessService } from '../access/access.ts'
import type { Quotas } from '../access/quotas/quotas.ts'

export function createUsage({ access, quotas }: { readonly access: AccessService; readonly quotas: Quotas }) {
  return {
    /** Size and usage of the disk that contains a folder; zeros for a file. For a user with a quota, also its usage. */
    async of(actor: Actor, text: string, signal?: AbortSignal): Promise<Usage> {
      // It is on no disk.
      if (isSharedPath(text) && parseVirtualPath(text) === SHARED_FOLDER) return { total: 0, used: 0 }
      using files = await access.at(actor, text)
      const { path } = files
      files.requireAllowed(path)
      const usage = await files.scope.usage(path)
      const quota = await quotas.useOf(files.user, signal)
      return quota === undefined ? usage : { ...usage, quota }
    },
  }
}
