import type { Visitor } from '../../domain/actor.ts'
import type { Resource } from '../../domain/resource.ts'
import { ROOT } from '../../domain/virtual-path.ts'
import type { AccessService } from '../access.ts'

/** What there is at a path of a share. Dispose of it when it has been sent. */
export type SharedAnswer = AsyncDisposable &
  (
    | { readonly kind: 'folder'; readonly parts: AsyncIterable<Uint8Array> }
    | { readonly kind: 'file'; readonly resource: Resource }
  )

/** Describes what was shared, with paths as seen from the share and never with content. */
export function createSharedFiles({ access }: { readonly access: Pick<AccessService, 'for'> }) {
  return {
    /** @param token stands in the answer */
    async describe(
      visitor: Visitor,
      text: string,
      token: string | undefined,
      signal?: AbortSignal,
    ): Promise<SharedAnswer> {
      await using held = new AsyncDisposableStack()
      const files = held.use(await access.for(visitor))
      const path = files.pathOf(text)
      files.requireAllowed(path)
      const { expire } = visitor.share
      const view = { ...files.view(path), token, expire: expire === 0 ? undefined : expire }
      const resource = await files.scope.stat(path, view)
      const answer = resource.isDir
        ? ({ kind: 'folder', parts: await files.scope.listing(path, view, signal) } as const)
        : ({ kind: 'file', resource: { ...resource, path: path === ROOT ? '' : path } } as const)
      const moved = held.move()
      return { ...answer, [Symbol.asyncDispose]: async () => await moved.disposeAsync() }
    },
  }
}

export type SharedFiles = ReturnType<typeof createSharedFiles>
