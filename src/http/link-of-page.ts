import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ClientConfig } from '../domain/client-config.ts'
import { pathBelow } from './base-url.ts'
import { splitTarget } from './protocol/clean-path.ts'
import { linkTags, type LinkTags } from './protocol/link-tags.ts'
import { productOf } from './protocol/page.ts'
import { splitShared } from './protocol/share-request.ts'

const LINK = '/share/'
/** Drawings are left out: chats do not take them, and they are sent as they are. */
const PICTURE = /\.(jpe?g|png|webp|gif|avif|heic|tiff?)$/i

/** What the page says of the public link that it was asked for; undefined for every other page. */
export async function tagsOfLink(
  { services }: Context,
  request: FastifyRequest,
  config: ClientConfig,
): Promise<LinkTags | undefined> {
  const address = pathBelow(config.BaseURL, splitTarget(request.url).path)
  if (address?.startsWith(LINK) !== true) return undefined
  // A server behind a proxy knows its own address by the headers of those proxies that it trusts.
  const base = `${request.protocol}://${request.host}${config.BaseURL}`
  const encoded = address.slice(LINK.length)
  const { hash, path } = splitShared(decodeURIComponent(encoded))
  const card = await services.linkCards.of(hash, path)
  const isPicture = card?.type === 'image' && config.ResizePreview && PICTURE.test(card.name)
  return linkTags(productOf(config), card && { ...card, isPicture, base, address: encoded })
}
