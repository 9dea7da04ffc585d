import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { PlaceView } from '../../domain/accounts/place.ts'
import { NO_PERMISSIONS } from '../../domain/access/permissions.ts'
import { isFilemgrError, problemIn } from '../../domain/errors.ts'
import type { Usage } from '../../domain/files/resource.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { isBucketUrl } from '../../domain/server/addresses.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { AccessService, ActorPlace } from '../access/access.ts'
import { permissionsAt } from '../access/passed-checks.ts'
import type { RootIndex } from '../stored-roots.ts'
import { answerOf } from '../access/place-in-all.ts'

export interface PlacesDeps {
  readonly access: Pick<AccessService, 'places'>
  readonly options: Pick<ServerOptions, 'root' | 'readOnly'>
  readonly roots: Pick<RootIndex, 'shown'>
}

/** The folders that users see. */
export function createPlaces({ access, options, roots }: PlacesDeps) {
  /** Undefined while it is away. */
  const usageOf = async ({ place, open }: ActorPlace): Promise<Usage | undefined> => {
    const measure = async () => {
      using files = await open()
      return await files.scope.usage(ROOT)
    }
    try {
      return await answerOf(place.name, measure())
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      return undefined
    }
  }

  const viewOf = async (own: ActorPlace, readsLog: boolean): Promise<PlaceView> => {
    const { place, top, standing } = own
    const usage = await usageOf(own)
    const root = standing?.rootRecord
    const kind = isBucketUrl(root?.location ?? options.root) ? 'bucket' : 'folder'
    const { download, create, modify, rename, delete: remove, share } = permissionsIn(standing)
    return {
      name: place.name,
      path: top,
      kind,
      isOwn: place.isOwn,
      state: usage === undefined ? 'away' : 'here',
      readOnly: options.readOnly || root?.readOnly === true,
      permissions: { download, create, modify, rename, delete: remove, share },
      ...(readsLog && { logged: roots.shown(place.folder) }),
      ...(usage !== undefined && kind === 'folder' && { total: usage.total, free: usage.total - usage.used }),
    }
  }

  return {
    /** In the order of "/". Never fails because a disk is away. */
    async list(actor: Actor): Promise<PlaceView[]> {
      const readsLog = problemIn(() => requireAdmin(actor, 'administration'), 'FORBIDDEN') === undefined
      return await Promise.all(access.places(actor).map(async (place) => await viewOf(place, readsLog)))
    },
  }
}

function permissionsIn(standing: ActorPlace['standing']) {
  return standing === undefined ? NO_PERMISSIONS : permissionsAt(standing, ROOT)
}
