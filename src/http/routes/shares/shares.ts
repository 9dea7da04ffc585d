import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../../api/operation.ts'
import {
  cancelLinkUpload,
  createShare,
  getShare,
  listArrivals,
  listLinkUploads,
  listShares,
  listSharesOfPath,
  removeShare,
  updateShare,
} from '../../../api/shares/shares.ts'
import type { Context } from '../../../context.ts'
import { expiryOf } from '../../../domain/shares/share.ts'
import { mount } from '../../mount.ts'
import { sendJson } from '../../send/send.ts'

export function shareRoutes(
  app: FastifyInstance,
  { services: { arrivals, linkUploads, shares }, clock }: Context,
): void {
  mount(app, listShares, async ({ actor, query }) => {
    const views = shares.list(actor, { expired: query.expired === 'true', receiving: query.receiving === 'true' })
    return query.details === 'true' ? await shares.details(actor, views) : views
  })

  // Old clients request this address for a path without shares, and expect an empty list.
  const operation: Operation = listShares
  app.get('/api/shares/', { config: { operation, access: 'user' } }, (_, reply) => sendJson(reply, []))

  mount(app, getShare, async ({ actor, params }) => await shares.get(actor, params.hash))

  mount(app, listArrivals, ({ actor, params }) => arrivals.list(actor, params.hash))

  mount(app, listLinkUploads, async ({ actor, params }) => await linkUploads.list(actor, params.hash))

  mount(app, cancelLinkUpload, async ({ actor, params }) => {
    await linkUploads.cancel(actor, params.hash, params.id)
    return undefined
  })

  mount(app, updateShare, async ({ actor, params, body }) => {
    const expire = body.expires === undefined ? undefined : expiryOf(body, clock.now())
    return await shares.update(actor, params.hash, {
      password: body.password,
      expire,
      rebind: body.rebind,
      terms: body.terms,
    })
  })

  mount(app, listSharesOfPath, async ({ actor, params, query }) => {
    const views = shares.ofPath(actor, `/${params['*']}`)
    return query.details === 'true' ? await shares.details(actor, views) : views
  })

  mount(app, createShare, async ({ actor, params, query, body }) => {
    const duration = body.expires === undefined ? { ...body, ...query } : { ...query, ...body }
    const { password, terms, slug } = body
    const options = { password, terms, slug, expire: expiryOf(duration, clock.now()) }
    return await shares.create(actor, `/${params['*']}`, options)
  })

  mount(app, removeShare, async ({ actor, params }) => {
    await shares.remove(actor, params['*'].replace(/\/$/, ''))
  })
}
