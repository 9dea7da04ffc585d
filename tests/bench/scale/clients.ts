import { leastOf, type Scale } from './curve.ts'

export const clients: Scale = {
  name: 'clients at once',
  sizes: [5, 50, 500],
  async measure({ data, daemon, ask, longestBeside }, connections) {
    const small = async () => await ask([{ path: `/api/raw/${data.kilobyte()}` }], { connections, seconds: 2 })
    const lists = [{ path: `/api/resources/${data.folderOf(10_000)}/` }]
    const { p99 } = await small()
    const each = await leastOf(3, async () => {
      const { seconds, requests } = await small()
      return (seconds / requests) * connections
    })
    let listing = 0
    const longest = await longestBeside(daemon, async () => {
      listing = (await ask(lists, { connections, count: connections })).seconds
    })
    return [
      ['GET 1 kB, for each client once', each, 's'],
      ['p99 of it', p99 * 1000, 'ms'],
      ['list 10k, for each client once', listing, 's'],
      ['longest /health beside it', longest, 'ms'],
      ['memory after', daemon.meter.memory(), 'MB'],
    ]
  },
}
