import {
  createGrant,
  findPeople,
  leaveShared,
  listGrants,
  listShared,
  removeGrant,
  updateGrant,
} from '../api/shares/grants.ts'
import {
  createGrantAsOperator,
  createShareAsOperator,
  linkOptions,
  listGrantsAsOperator,
  listSharesAsOperator,
  pruneShares,
  removeShareAsOperator,
  updateGrantAsOperator,
  updateShareAsOperator,
} from '../api/shares/operator.ts'
import {
  cancelLinkUpload,
  createShare,
  getShare,
  listArrivals,
  listLinkUploads,
  listShares,
  listSharesOfPath,
  removeShare,
  removeShares,
  seeArrivals,
  updateShare,
} from '../api/shares/shares.ts'
import type { Context } from '../context.ts'
import type { UserId } from '../domain/ids.ts'
import { isAdministrator } from '../domain/accounts/user.ts'
import { fail } from '../domain/errors.ts'
import { cutHash } from '../domain/server/audit.ts'
import { expiryOf } from '../domain/shares/share.ts'
import { handler } from './handler.ts'

export const shareHandlers = [
  handler(listShares, async ({ actor, query }, { services: { shares } }) => {
    const views = shares.list(actor, { expired: query.expired === 'true' })
    return query.details === 'true' ? await shares.details(actor, views) : views
  }),

  handler(getShare, async ({ actor, params }, { services: { shares } }) => await shares.get(actor, params.hash)),

  handler(listArrivals, ({ actor, params }, { services: { arrivals } }) => arrivals.list(actor, params.hash)),

  handler(seeArrivals, async ({ actor, params, body }, { services: { arrivals } }) => {
    await arrivals.see(actor, params.hash, body.until)
  }),

  handler(
    listLinkUploads,
    async ({ actor, params }, { services: { linkUploads } }) => await linkUploads.list(actor, params.hash),
  ),

  handler(
    cancelLinkUpload,
    async ({ actor, params }, { services: { linkUploads } }) => {
      await linkUploads.cancel(actor, params.hash, params.id)
    },
    targetOf,
  ),

  handler(updateShare, async ({ actor, params, body }, { services: { shares }, clock }) => {
    const { password, rebind, terms } = body
    const expire = body.expires === undefined ? undefined : expiryOf(body, clock.now())
    return await shares.update(actor, params.hash, { password, expire, rebind, terms })
  }),

  handler(listSharesOfPath, async ({ actor, params, query }, { services: { shares } }) => {
    const views = shares.ofPath(actor, `/${params['*']}`)
    return query.details === 'true' ? await shares.details(actor, views) : views
  }),

  handler(createShare, async ({ actor, params, query, body }, { services: { shares }, clock }) => {
    const duration = body.expires === undefined ? { ...body, ...query } : { ...query, ...body }
    const { password, terms, slug } = body
    const options = { password, terms, slug, expire: expiryOf(duration, clock.now()) }
    return await shares.create(actor, `/${params['*']}`, options)
  }),

  handler(removeShare, async ({ actor, params }, { services: { shares } }) => {
    await shares.remove(actor, params['*'].replace(/\/$/, ''))
  }),

  handler(removeShares, async ({ actor, body }, { services: { shares } }) => {
    await shares.removeMany(actor, body.remove)
  }),

  handler(listSharesAsOperator, async ({ actor, query: { user, expired } }, { services: { shares, users } }) => {
    const owner = user === undefined ? undefined : users.find(user).id
    const views = shares.list(actor, { expired: expired === true })
    return await shares.details(
      actor,
      views.filter(({ userID }) => owner === undefined || userID === owner),
    )
  }),

  handler(
    createShareAsOperator,
    async ({ actor, params: { path }, body: { user, ...input } }, { services: { shares, users }, store }) => {
      const { hash } = await shares.create(actor, path, input, ownerNamed(user, users, store))
      return await shares.get(actor, hash)
    },
  ),

  handler(
    updateShareAsOperator,
    async ({ actor, params: { hash }, body }, { services: { shares } }) => await shares.update(actor, hash, body),
    targetOf,
  ),

  handler(
    removeShareAsOperator,
    async ({ actor, params: { hash } }, { services: { shares } }) => {
      const share = await shares.get(actor, hash)
      await shares.remove(actor, hash)
      return share
    },
    targetOf,
  ),

  handler(pruneShares, async ({ query: { dryRun } }, { services: { shares } }) =>
    dryRun === true ? shares.expired() : await shares.prune(),
  ),

  handler(listGrants, async ({ actor, query }, { services: { grants } }) => await grants.list(actor, query.path)),

  handler(
    createGrant,
    async ({ actor, body }, { services: { grants }, clock }) => {
      const { path, to, allows } = body
      return await grants.create(actor, path, { to, allows, expires: expiryOf(body, clock.now()) })
    },
    ({ body: { path } }) => path,
  ),

  handler(updateGrant, async ({ actor, params, body }, { services: { grants }, clock }) => {
    const expires = body.expires === undefined ? undefined : expiryOf(body, clock.now())
    return await grants.update(actor, params.id, { allows: body.allows, expires })
  }),

  handler(removeGrant, async ({ actor, params }, { services: { grants } }) => {
    await grants.remove(actor, params.id)
  }),

  handler(listShared, ({ actor }, { services: { grants } }) => grants.sharedWith(actor)),

  handler(leaveShared, async ({ actor, params }, { services: { grants } }) => {
    await grants.leave(actor, params.id)
  }),

  handler(findPeople, ({ actor, query }, { services: { grants } }) => grants.people(actor, query.q)),

  handler(listGrantsAsOperator, async ({ actor, query: { user } }, { services: { grants, users } }) => {
    return await grants.list(actor, undefined, user === undefined ? undefined : users.find(user).id)
  }),

  handler(
    createGrantAsOperator,
    async ({ actor, params: { path }, body: { user, ...input } }, { services: { grants, users }, store }) =>
      await grants.create(actor, path, input, ownerNamed(user, users, store)),
  ),

  handler(
    updateGrantAsOperator,
    async ({ actor, params, body }, { services: { grants } }) => await grants.update(actor, params.id, body),
  ),

  handler(linkOptions, (_, { options }) => {
    const { publicUrl, baseURL, socket, address, port, cert } = options
    return { publicUrl, baseURL, socket, address, port, cert }
  }),
]

/** The owner in whose name the operator acts: by default the first administrator. @throws NOT_FOUND */
function ownerNamed(name: string | undefined, users: Context['services']['users'], store: Context['store']): UserId {
  const owner = name === undefined ? store.snapshot().users.find(isAdministrator) : users.find(name)
  return owner?.id ?? fail('NOT_FOUND', 'there is no administrator; name the owner with --user')
}

function targetOf({ params: { hash } }: { params: { hash: string } }): string {
  return cutHash(hash)
}
