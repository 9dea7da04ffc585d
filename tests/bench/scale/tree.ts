import { join } from 'node:path'
import { startDaemon } from '../daemon.ts'
import { NEEDLE } from '../data.ts'
import { leastOf, type Scale } from './curve.ts'

export const tree: Scale = {
  name: 'files in the tree',
  sizes: [10_000, 100_000, 1_000_000],
  async measure({ data, at, askOf, longestBeside }, size) {
    const root = join(data.root, data.treeOf(size))
    await using daemon = await startDaemon(at(`tree-${size}-data`), root)
    const search = async () => (await askOf(daemon, [{ path: `/api/search/?query=${NEEDLE}` }])).seconds
    const before = daemon.meter.memory()
    let first = 0
    const longest = await longestBeside(daemon, async () => (first = await search()))
    const warm = await leastOf(5, search)
    const longestWarm = await leastOf(3, async () => await longestBeside(daemon, search))
    const list = await leastOf(5, async () => (await askOf(daemon, [{ path: '/api/resources/' }])).seconds)
    return [
      ['start to /health', daemon.startSeconds, 's'],
      ['first search', first, 's'],
      ['longest /health beside it', longest, 'ms'],
      ['warm search', warm, 's'],
      ['longest /health beside it, warm', longestWarm, 'ms'],
      ['list of the root', list, 's'],
      ['memory before', before, 'MB'],
      ['memory after', daemon.meter.memory(), 'MB'],
    ]
  },
}
