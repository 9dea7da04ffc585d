import type { Resource } from '../../domain/resource.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import type { AccessService } from '../access.ts'
import type { Visits } from './visits.ts'

/** What a link says of itself before anybody has opened it. */
export type LinkCard = Pick<Resource, 'name' | 'isDir' | 'type'>

export interface LinkCards {
  /**
   * Undefined for every link that does not open to everybody at this moment: whether it has a password, has expired or never
   * was, is not told. Not counted as an opening: chats look at each link that is sent through them.
   *
   * @param text a path in the share, "/" for itself
   */
  of(hash: string, text: string): Promise<LinkCard | undefined>
}

export interface LinkCardsDeps {
  readonly access: Pick<AccessService, 'for'>
  readonly visits: Pick<Visits, 'enter'>
}

export function createLinkCards({ access, visits }: LinkCardsDeps): LinkCards {
  const describe = async (hash: string, text: string): Promise<LinkCard> => {
    const { visitor } = await visits.enter({ hash, password: undefined, token: undefined, address: '' })
    await using files = await access.for(visitor)
    const path = files.pathOf(text)
    files.requireAllowed(path)
    const { name, isDir, type } = await files.scope.stat(path, { ...files.view(path), sniff: false })
    return { name, isDir, type }
  }
  return {
    async of(hash, text) {
      try {
        return await describe(hash, text)
      } catch (error) {
        if (isFilemgrError(error)) return undefined
        throw error
      }
    },
  }
}
