import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeMany, removeResource, transferResource } from '../../../api/files/files-changes.ts'
import type { Context } from '../../../context.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import { ERROR_STATUS } from '../../error-status.ts'
import { type Handler, mount } from '../../mount.ts'
import type { ChangedEntry } from '../../route-config.ts'

/** Changes of many entries with one request. */
export function fileChangeRoutes(app: FastifyInstance, { services }: Context): void {
  const changeAll: Handler<typeof changeMany> = async ({ actor, params, body, request, signal }) => {
    const folder = `/${params['*']}`.replace(/\/+$/, '')
    const { action, effect } = CHANGES[body.action]
    const log = changeLogOf(request)
    return await services.changeMany(actor, folder, body, {
      onChanged: ({ path, destination }, refused) =>
        log({ path: `${folder}/${path}`, destination, action }, effect, refused),
      signal,
    })
  }
  mount(app, changeMany, changeAll, { bodyLimit: CHANGES_LIMIT })
}

/** Bytes: enough for as many entries as a request may have, with long paths. */
const CHANGES_LIMIT = 4 * 1024 * 1024

/** How the activity log calls what is done to each entry: as if it were done alone. */
const CHANGES = {
  copy: { action: transferResource.id, effect: 'copied' },
  move: { action: transferResource.id, effect: 'moved' },
  trash: { action: removeResource.id, effect: 'trashed' },
  delete: { action: removeResource.id, effect: 'deleted' },
} as const

/** Notes for the activity log what became of each entry. */
export function changeLogOf(request: FastifyRequest) {
  const each: ChangedEntry[] = (request.each = [])
  return (facts: Omit<ChangedEntry, 'status'>, effect: ChangedEntry['effect'], refused?: ErrorCode): void => {
    each.push(refused === undefined ? { ...facts, status: 200, effect } : { ...facts, status: ERROR_STATUS[refused] })
  }
}
