import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { ClientConfig } from '../../domain/settings/client-config.ts'
import { pathBelow, splitTarget } from '../protocol/request-path.ts'
import { escapedHtml, type LinkTags, productOf } from './fill-page.ts'
import { splitShared } from '../protocol/caller.ts'

const LINK = '/share/'
/** Drawings are left out: chats do not take them, and they are sent as they are. */
const PICTURE = /\.(jpe?g|png|webp|gif|avif|heic|tiff?)$/i

/** The meta tags for a public link; undefined for every other page. */
export async function tagsOfLink(
  { services }: Context,
  request: FastifyRequest,
  config: ClientConfig,
): Promise<LinkTags | undefined> {
  const address = pathBelow(config.BaseURL, splitTarget(request.url).path)
  if (address?.startsWith(LINK) !== true) return undefined
  // Behind a proxy, the server learns its own address from the headers of trusted proxies.
  const base = `${request.protocol}://${request.host}${config.BaseURL}`
  const encoded = address.slice(LINK.length)
  const { hash, path } = splitShared(decodeURIComponent(encoded))
  const card = await services.linkCards.of(hash, path)
  const isPicture = card?.type === 'image' && config.ResizePreview && PICTURE.test(card.name)
  return linkTags(productOf(config), card && { ...card, isPicture, base, address: encoded })
}

export interface LinkOnPage {
  readonly name: string
  readonly isDir: boolean
  /** A picture that chats can show. */
  readonly isPicture: boolean
  /** "https://files.example.org/base", without a slash at its end. */
  readonly base: string
  /** The hash with the path in the share, percent-encoded: "Ab3/a%20b/c.jpg". */
  readonly address: string
}

/**
 * What chats and browsers without scripts are told about a link. Unless the link is open to anyone, it is the same for
 * all others, so that neither a name leaks nor an address can be tried out.
 */
function linkTags(product: string, link: LinkOnPage | undefined): LinkTags {
  const common = meta('og:site_name', product) + meta('og:type', 'website')
  if (link === undefined) {
    return {
      head: common + meta('og:title', product) + meta('og:description', 'A link to shared files'),
      noscript: undefined,
    }
  }
  const { name, isDir, isPicture, base, address } = link
  const picture = isPicture ? meta('og:image', `${base}/api/public/preview/big/${address}?inline=true`) : ''
  const text = `${isDir ? 'A folder' : 'A file'} shared with ${product}`
  const href = escapedHtml(`${base}/api/public/dl/${address}`)
  const download = isDir ? `Download ${name} as a zip archive` : `Download ${name}`
  return {
    head: common + meta('og:title', name) + meta('og:description', text) + picture,
    noscript: `<p><a href="${href}">${escapedHtml(download)}</a></p>`,
  }
}

function meta(property: string, content: string): string {
  return `<meta property="${property}" content="${escapedHtml(content)}" />`
}
