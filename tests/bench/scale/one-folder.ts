import { startDaemon } from '../daemon.ts'
import { leastOf, type Scale } from './curve.ts'

export const oneFolder: Scale = {
  name: 'files in one folder',
  sizes: [10_000, 50_000, 200_000],
  async measure({ data, at, askOf, longestBeside }, size) {
    const path = `/api/resources/${data.folderOf(size)}/`
    await using daemon = await startDaemon(at(`folder-${size}-data`), data.root)
    const list = async () => (await askOf(daemon, [{ path }])).seconds
    const first = await list()
    const longest = await leastOf(3, async () => await longestBeside(daemon, list))
    return [
      ['first list', first, 's'],
      ['list', await leastOf(5, list), 's'],
      ['longest /health beside it', longest, 'ms'],
      ['memory after', daemon.meter.memory(), 'MB'],
    ]
  },
}
