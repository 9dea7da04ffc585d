import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { decodeName } from '../../domain/files/name-text.ts'
import type { ClientConfig } from '../../domain/settings/client-config.ts'
import { pathBelow, sentTarget } from '../protocol/request-path.ts'
import { escapedHtml, type LinkTags, productOf } from './fill-page.ts'
import { splitShared } from '../protocol/caller.ts'
import { siteUrl } from '../protocol/site.ts'

const LINK = '/share/'
/** Without SVG: chats do not show it, and it is sent without resizing. */
const PICTURE = /\.(jpe?g|png|webp|gif|avif|heic|tiff?)$/i

/** The meta tags for a public link; undefined for every other page. */
export async function tagsOfLink(
  { services, options }: Context,
  request: FastifyRequest,
  config: ClientConfig,
): Promise<LinkTags | undefined> {
  const address = pathBelow(config.BaseURL, sentTarget(request).path)
  if (address?.startsWith(LINK) !== true) return undefined
  const base = siteUrl(request, options)
  const encoded = address.slice(LINK.length)
  const { hash, path } = splitShared(decodeName(encoded))
  const card = await services.linkCards.of(hash, path)
  const isPicture = card?.type === 'image' && config.ResizePreview && PICTURE.test(card.name)
  return linkTags(productOf(config), card && { ...card, isPicture, base, address: encoded })
}

export interface LinkOnPage {
  readonly name: string
  readonly isDir: boolean
  /** An image that chats can show. */
  readonly isPicture: boolean
  /** Without a trailing slash, such as "https://files.example.org/base". */
  readonly base: string
  /** The hash with the path in the share, percent-encoded: "Ab3/a%20b/c.jpg". */
  readonly address: string
}

/**
 * The description of a link for chats and for browsers without scripts. Links with a password and links that do not exist get
 * the same text, so that no name leaks and hashes cannot be guessed.
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
