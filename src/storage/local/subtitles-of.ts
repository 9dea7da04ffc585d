import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import type { ListingView } from '../storage.ts'
import type { DevicePools } from './device-pools.ts'
import { rulePathsOf, type ScopeRoot } from './scope-root.ts'
import { lend } from './lent-scope-root.ts'
import { holdFolder } from './resolve.ts'
import { reachable } from './scope-names.ts'

export interface AskedVideo {
  readonly scopeRoot: ScopeRoot
  /** That the video is in. */
  readonly folder: VirtualPath
  readonly name: string
  readonly view: ListingView
}

/** Paths of the subtitles of one video, as the view shows them. */
export async function subtitlesOf(
  listers: DevicePools,
  { scopeRoot, folder, name, view }: AskedVideo,
): Promise<string[]> {
  using held = await holdFolder(scopeRoot, reachable(folder))
  const shown = view.shownPath.replace(/\/$/, '')
  const input = {
    folder: held.fd,
    name,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    pathPrefix: shown.slice(0, shown.length - name.length),
    rulePaths: rulePathsOf(scopeRoot, held, below(view.rulePrefix, folder)),
  }
  return (await listers.on(held).run('findSubtitles', input).next()).value as string[]
}
