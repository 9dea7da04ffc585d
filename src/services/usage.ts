import type { Actor } from '../domain/actor.ts'
import type { Usage } from '../domain/resource.ts'
import { parseVirtualPath } from '../domain/virtual-path.ts'
import type { AccessService } from './access.ts'

export interface UsageDeps {
  readonly access: Pick<AccessService, 'for'>
}

export function createUsage({ access }: UsageDeps) {
  return {
    /** Bytes of the disk under a folder; zeros for a file. */
    async of(actor: Actor, text: string): Promise<Usage> {
      const path = parseVirtualPath(text)
      await using files = await access.for(actor)
      files.require('usage.get')
      files.requireAllowed(path)
      return await files.scope.usage(path)
    },
  }
}

export type UsageService = ReturnType<typeof createUsage>
