import type { Visitor } from '../../domain/accounts/actor.ts'
import type { Resource } from '../../domain/files/resource.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import type { AccessService } from '../access/access.ts'
import { unlessFails } from '../../domain/errors.ts'
import type { Visits } from './visits.ts'

/** A file or folder in a share. */
export type SharedAnswer =
  | { readonly kind: 'folder'; readonly parts: AsyncIterable<Uint8Array> }
  | { readonly kind: 'file'; readonly resource: Resource }

/** Describes what was shared, with paths as seen from the share and never with content. */
export function createSharedFiles({ access }: { readonly access: AccessService }) {
  return {
    /** @param token to include in the result */
    async describe(
      visitor: Visitor,
      text: string,
      token: string | undefined,
      signal?: AbortSignal,
    ): Promise<SharedAnswer> {
      using files = await access.at(visitor, text)
      const { path } = files
      files.requireAllowed(path)
      const { expire } = visitor.link().share
      const view = { ...files.view(path), token, expire: expire === 0 ? undefined : expire }
      const resource = await files.scope.stat(path, view)
      return resource.isDir
        ? { kind: 'folder', parts: await files.scope.listing(path, view, signal) }
        : { kind: 'file', resource: { ...resource, path: path === ROOT ? '' : path } }
    },
  }
}

/** What a link shows before it is opened. */
export type LinkCard = Pick<Resource, 'name' | 'isDir' | 'type'>

export function createLinkCards({ access, visits }: { readonly access: AccessService; readonly visits: Visits }) {
  const describe = async (hash: string, text: string): Promise<LinkCard> => {
    const { visitor } = await visits.enter({ hash, password: undefined, token: undefined, address: '' })
    using files = await access.at(visitor, text)
    const { path } = files
    files.requireAllowed(path)
    const { name, isDir, type } = await files.scope.stat(path, { ...files.view(path), sniff: false })
    return { name, isDir, type }
  }
  return {
    /**
     * Undefined for every link that not everyone can open now. Does not reveal whether it has a password, has expired or never
     * existed. Does not count as an opening, because chat programs fetch each link that is sent through them.
     *
     * @param text a path in the share, "/" for the share itself
     */
    of: async (hash: string, text: string): Promise<LinkCard | undefined> => await unlessFails(describe(hash, text)),
  }
}
