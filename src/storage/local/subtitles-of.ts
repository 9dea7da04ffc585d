import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import type { WorkerPool } from '../../platform/worker-pool.ts'
import type { ListingView } from '../storage.ts'
import type { Ground } from './ground.ts'
import { pinFolder } from './resolve.ts'
import { reachable } from './scope-names.ts'

export interface AskedVideo {
  readonly ground: Ground
  /** That the video is in. */
  readonly folder: VirtualPath
  readonly name: string
  readonly view: ListingView
}

/** Paths of the subtitles of one video, as the view shows them. */
export async function subtitlesOf(listers: WorkerPool, { ground, folder, name, view }: AskedVideo): Promise<string[]> {
  using held = await pinFolder(ground, reachable(folder))
  const shown = view.shownPath.replace(/\/$/, '')
  const input = {
    folder: held.fd,
    name,
    rules: view.rules,
    hideDotfiles: view.hideDotfiles,
    foldCase: view.foldCase,
    pathPrefix: shown.slice(0, shown.length - name.length),
    rulePath: below(view.rulePrefix, folder),
  }
  return (await listers.run('findSubtitles', input).next()).value as string[]
}
