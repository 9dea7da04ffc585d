import type { UploadItem, UploadTask } from '../upload-item.ts'

/** An upload as it is kept between two visits of the page. */
export interface KeptTask extends UploadTask {
  readonly sent: number
  /** It goes on only when somebody says so. */
  readonly paused: boolean
}

/** What is worth keeping: all that has not arrived. */
export function keptTasks(items: readonly UploadItem[]): KeptTask[] {
  return items
    .filter(({ state }) => state !== 'done')
    .map(({ kind, target, source, path, group, override, size, modified, begun, origin, sent, state, wasPaused }) => ({
      ...{ kind, target, source, path, group, override, size, modified, begun, origin },
      sent: begun ? sent : 0,
      paused: state === 'paused' || (state === 'missing' && wasPaused),
    }))
}
